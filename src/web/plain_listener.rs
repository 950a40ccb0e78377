//! What plain listeners answer where there is TLS: redirects, and the challenges of an authority.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use hyper::http::request::Parts;
use parking_lot::RwLock;

use super::target;
use crate::base::text::origin::{Origin, without_default_port, without_port};

/// Where plain requests are sent.
pub struct HttpsRedirect {
    /// Whether there is a certificate by now.
    pub has_certificate: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Another port of the host that was asked for; `None` leads to the public address, which the operator has named.
    pub port: Option<u16>,
}

impl HttpsRedirect {
    /// Returns the origin that a request is sent to.
    pub(super) fn origin(&self, public: &Origin, parts: &Parts) -> String {
        match self.port.zip(target::host(parts)) {
            Some((port, host)) => {
                let authority = format!("{}:{port}", without_port(host));
                format!("https://{}", without_default_port(&authority, "https"))
            }
            // A client of HTTP/1.0 need not name a host.
            None => public.to_string(),
        }
    }
}

impl fmt::Debug for HttpsRedirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpsRedirect")
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

/// Where a directory asks (RFC 8555, section 8.3).
const PREFIX: &str = "/.well-known/acme-challenge/";

/// The responses to an authority's challenges, each by the kind of the challenge and its token or domain, such as
/// `HTTP-01 abc`. Clones share one state.
#[derive(Debug, Clone, Default)]
pub struct Challenges(Arc<RwLock<HashMap<String, String>>>);

impl Challenges {
    /// The kind that is answered on plain listeners. The response is the file that the authority asks for.
    pub const HTTP_01: &str = "HTTP-01";

    /// The kind that is answered in a handshake. The response is the digest for its certificate, in Base64.
    pub const TLS_ALPN_01: &str = "TLS-ALPN-01";

    /// Whether a path is one where an authority asks. It is never redirected.
    pub fn is_challenge(path: &str) -> bool {
        path.starts_with(PREFIX)
    }

    /// Returns the answer to a path; `None` unless an authority has been told to ask there.
    pub fn answer(&self, path: &str) -> Option<String> {
        self.response(Self::HTTP_01, path.strip_prefix(PREFIX)?)
    }

    /// Returns the response to the challenge of a token or a domain.
    pub fn response(&self, kind: &str, name: &str) -> Option<String> {
        self.0.read().get(&format!("{kind} {name}")).cloned()
    }

    /// Gives these responses from now on, and no others.
    pub fn set(&self, responses: impl IntoIterator<Item = (String, String)>) {
        *self.0.write() = responses.into_iter().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_answered_until_it_is_removed() {
        let challenges = Challenges::default();
        let path = "/.well-known/acme-challenge/abc";
        assert!(Challenges::is_challenge(path) && !Challenges::is_challenge("/.well-known/"));
        assert_eq!(challenges.answer(path), None);
        challenges.set([("HTTP-01 abc".to_owned(), "abc.thumb".to_owned())]);
        assert_eq!(challenges.answer(path).as_deref(), Some("abc.thumb"));
        for other in [
            "/.well-known/acme-challenge/",
            "/abc",
            "/.well-known/acme-challenge/abc/",
        ] {
            assert_eq!(challenges.answer(other), None, "{other}");
        }
        challenges.clone().set([]);
        assert_eq!(challenges.answer(path), None);
    }
}
