//! Responses of plain listeners beside TLS: redirects to HTTPS, and ACME challenges.

use std::collections::HashMap;
use std::sync::Arc;

use hyper::http::request::Parts;
use parking_lot::RwLock;

use super::target;
use crate::base::text::origin::{Origin, without_default_port, without_port};

/// Where plain requests are redirected.
pub struct HttpsRedirect {
    /// Whether there is a certificate yet.
    pub has_certificate: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Port of the requested host to redirect to. `None` redirects to the public address, which the operator has configured.
    pub port: Option<u16>,
}

impl HttpsRedirect {
    /// The origin to redirect a request to.
    pub(super) fn origin(&self, public: &Origin, parts: &Parts) -> String {
        match self.port.zip(target::host(parts)) {
            Some((port, host)) => {
                let authority = format!("{}:{port}", without_port(host));
                format!("https://{}", without_default_port(&authority, "https"))
            }
            // HTTP/1.0 clients need not send a host.
            None => public.to_string(),
        }
    }
}

/// Path prefix of HTTP challenges (RFC 8555, section 8.3).
const PREFIX: &str = "/.well-known/acme-challenge/";

/// Responses to ACME challenges, by kind of challenge and token or domain, such as `HTTP-01 abc`. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Challenges(Arc<RwLock<HashMap<String, String>>>);

impl Challenges {
    /// The kind of challenge answered on plain listeners. The response is the requested file.
    pub const HTTP_01: &str = "HTTP-01";

    /// The kind of challenge answered in a TLS handshake. The response is the digest for the certificate, in Base64.
    pub const TLS_ALPN_01: &str = "TLS-ALPN-01";

    /// Whether a path is for challenges. Such requests are never redirected.
    pub fn is_challenge(path: &str) -> bool {
        path.starts_with(PREFIX)
    }

    /// The response for a path. `None` unless it belongs to a current challenge.
    pub fn answer(&self, path: &str) -> Option<String> {
        self.response(Self::HTTP_01, path.strip_prefix(PREFIX)?)
    }

    /// The response to the challenge for a token or domain.
    pub fn response(&self, kind: &str, name: &str) -> Option<String> {
        self.0.read().get(&format!("{kind} {name}")).cloned()
    }

    /// Replaces all responses.
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
