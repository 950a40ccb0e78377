//! Where plain requests are sent, once there is a certificate.

use std::sync::Arc;

use hyper::http::request::Parts;
use hyper::http::uri::Authority;

use super::target;
use crate::text::origin::{Origin, without_default_port};
use crate::tls::Resolver;

/// Where plain requests are sent, once there is a certificate.
#[derive(Debug)]
pub struct HttpsRedirect {
    resolver: Arc<Resolver>,
    /// The port of the host that was asked for; `None` leads to the public address.
    port: Option<u16>,
}

impl HttpsRedirect {
    /// Sends requests to the public address, which the operator has named.
    pub fn to_public(resolver: Arc<Resolver>) -> Self {
        Self { resolver, port: None }
    }

    /// Sends requests to another port of the same host.
    pub fn to_port(port: u16, resolver: Arc<Resolver>) -> Self {
        let port = Some(port);
        Self { resolver, port }
    }

    /// Returns whether the target can be reached.
    pub(super) fn is_ready(&self) -> bool {
        self.resolver.has_certificate()
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
