//! Answers to a directory that checks a name by HTTP-01, for the plain listeners.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

/// Where a directory asks (RFC 8555, section 8.3).
const PREFIX: &str = "/.well-known/acme-challenge/";

/// The answer to each token. Clones share one state.
#[derive(Debug, Clone, Default)]
pub struct HttpChallenges(Arc<RwLock<HashMap<String, String>>>);

impl HttpChallenges {
    /// Returns whether a path is one where a directory asks. It is never redirected.
    pub fn is_challenge(path: &str) -> bool {
        path.starts_with(PREFIX)
    }

    /// Returns the answer to a path; `None` unless a directory has been told to ask there.
    pub fn answer(&self, path: &str) -> Option<String> {
        let token = path.strip_prefix(PREFIX)?;
        self.0.read().get(token).cloned()
    }

    /// Answers a token from now on.
    pub fn set(&self, token: &str, answer: &str) {
        self.0.write().insert(token.to_owned(), answer.to_owned());
    }

    /// Answers it no more.
    pub fn remove(&self, token: &str) {
        self.0.write().remove(token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_answered_until_it_is_removed() {
        let challenges = HttpChallenges::default();
        let path = "/.well-known/acme-challenge/abc";
        assert!(HttpChallenges::is_challenge(path) && !HttpChallenges::is_challenge("/.well-known/"));
        assert_eq!(challenges.answer(path), None);
        challenges.set("abc", "abc.thumb");
        assert_eq!(challenges.answer(path).as_deref(), Some("abc.thumb"));
        for other in [
            "/.well-known/acme-challenge/",
            "/abc",
            "/.well-known/acme-challenge/abc/",
        ] {
            assert_eq!(challenges.answer(other), None, "{other}");
        }
        challenges.clone().remove("abc");
        assert_eq!(challenges.answer(path), None);
    }
}
