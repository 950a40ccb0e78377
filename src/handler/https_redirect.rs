//! Where plain requests are sent, once there is a certificate.

use std::sync::Arc;

use hyper::http::request::Parts;
use hyper::http::uri::Authority;

use super::target;
use crate::origin::{Origin, without_default_port};
use crate::tls::Resolver;

/// Where plain requests are sent.
#[derive(Debug)]
pub struct HttpsRedirect {
    resolver: Arc<Resolver>,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// To the public address that the operator has named.
    Public,
    /// To the host that was asked for, on the port of the first TLS listener.
    Host { port: u16 },
}

impl HttpsRedirect {
    /// Sends requests to the public address, once there is a certificate.
    pub fn to_public(resolver: Arc<Resolver>) -> Self {
        let target = Target::Public;
        Self { resolver, target }
    }

    /// Sends requests to another port of the same host, once there is a certificate.
    pub fn to_port(port: u16, resolver: Arc<Resolver>) -> Self {
        let target = Target::Host { port };
        Self { resolver, target }
    }

    /// Returns whether the target can be reached.
    pub(super) fn is_ready(&self) -> bool {
        self.resolver.has_certificate()
    }

    /// Returns the origin that a request is sent to.
    pub(super) fn origin(&self, public: &Origin, parts: &Parts) -> String {
        match (&self.target, target::host(parts)) {
            (Target::Host { port }, Some(host)) => {
                let authority = format!("{}:{port}", without_port(host));
                format!("https://{}", without_default_port(&authority, "https"))
            }
            // A client of HTTP/1.0 need not name a host.
            (Target::Public, _) | (Target::Host { .. }, None) => public.to_string(),
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
