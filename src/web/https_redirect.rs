//! Where plain requests are sent, once there is a certificate.

use std::fmt;
use std::sync::Arc;

use hyper::http::request::Parts;
use hyper::http::uri::Authority;

use super::target;
use crate::base::text::origin::{Origin, without_default_port};

/// Where plain requests are sent, once there is a certificate.
pub struct HttpsRedirect {
    has_certificate: Arc<dyn Fn() -> bool + Send + Sync>,
    /// The port of the host that was asked for; `None` leads to the public address.
    port: Option<u16>,
}

impl HttpsRedirect {
    /// Sends requests to the public address, which the operator has named.
    pub fn to_public(has_certificate: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Self {
            has_certificate,
            port: None,
        }
    }

    /// Sends requests to another port of the same host.
    pub fn to_port(port: u16, has_certificate: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Self {
            has_certificate,
            port: Some(port),
        }
    }

    /// Returns whether the target can be reached.
    pub(super) fn is_ready(&self) -> bool {
        (self.has_certificate)()
    }

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

fn without_port(host: &str) -> &str {
    host.parse::<Authority>()
        .ok()
        .and_then(|authority| host.get(..authority.host().len()))
        .unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::without_port;

    #[test]
    fn the_port_of_a_host_is_removed() {
        for (host, expected) in [
            ("example.de", "example.de"),
            ("example.de:8080", "example.de"),
            ("example.de:", "example.de"),
            ("127.0.0.1:80", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("[2001:db8::1]:8080", "[2001:db8::1]"),
        ] {
            assert_eq!(without_port(host), expected);
        }
    }
}
