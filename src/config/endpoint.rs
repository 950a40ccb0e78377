//! URLs of servers that the program connects to.

use std::net::IpAddr;

use http::Uri;

use super::values::is_host_name;

/// A parsed URL. Errors never quote it, since it may contain a password.
#[derive(Debug)]
pub struct Endpoint {
    /// The whole URL.
    pub uri: Uri,
    /// The scheme, such as `https`.
    pub scheme: String,
    /// A host name or an IP address; IPv6 without brackets.
    pub host: String,
    /// The port; `None` means the default of the scheme.
    pub port: Option<u16>,
}

impl Endpoint {
    /// Parses a URL; `None` if it is malformed or contains user info.
    pub fn parse(text: &str) -> Option<Self> {
        let uri: Uri = text.trim().parse().ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let authority = uri.authority()?;
        // Fails if user info precedes the host.
        let rest = authority.as_str().strip_prefix(authority.host())?;
        let host = match authority.host().strip_prefix('[') {
            Some(address) => address.strip_suffix(']')?.parse::<IpAddr>().ok()?.to_string(),
            None if is_host_name(authority.host()) => authority.host().to_ascii_lowercase(),
            None => return None,
        };
        let port = match rest.strip_prefix(':') {
            // Parsing as a number would accept a sign.
            Some(port) if port.starts_with('+') => return None,
            Some(port) => Some(port.parse().ok().filter(|&port| port != 0)?),
            None if rest.is_empty() => None,
            None => return None,
        };
        Some(Self {
            uri,
            scheme,
            host,
            port,
        })
    }

    /// Whether connections stay on this machine.
    pub fn is_loopback(&self) -> bool {
        match self.host.parse::<IpAddr>() {
            Ok(address) => address.is_loopback(),
            Err(_) => self.host == "localhost",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        for (text, scheme, host, port, is_loopback) in [
            ("smtp://mail.example.de", "smtp", "mail.example.de", None, false),
            (
                "SMTPS://Mail.Example.de:465/",
                "smtps",
                "mail.example.de",
                Some(465),
                false,
            ),
            ("http://127.0.0.1:80/a?b", "http", "127.0.0.1", Some(80), true),
            ("http://127.8.8.8", "http", "127.8.8.8", None, true),
            ("http://[::1]:9", "http", "::1", Some(9), true),
            ("http://[2001:db8::1]", "http", "2001:db8::1", None, false),
            ("http://localhost", "http", "localhost", None, true),
            (
                "http://localhost.example.de",
                "http",
                "localhost.example.de",
                None,
                false,
            ),
        ] {
            let endpoint = Endpoint::parse(text).unwrap();
            assert_eq!(
                (&*endpoint.scheme, &*endpoint.host, endpoint.port),
                (scheme, host, port)
            );
            assert_eq!(endpoint.is_loopback(), is_loopback, "{text}");
        }
    }

    #[test]
    fn anything_else_is_none() {
        for wrong in [
            "",
            "mail.example.de",
            "mail.example.de:587",
            "smtp://",
            "smtp://:587",
            "smtp://a:0",
            "smtp://a:",
            "smtp://a:65536",
            "smtp://a:+5",
            "smtp://user:secret@a",
            "smtp://user@a",
            "smtp://a b",
            "smtp://[::1",
            "smtp://[a]",
            "smtp://[::1]x",
            "smtp://exämple.de",
            "/hook",
        ] {
            assert!(Endpoint::parse(wrong).is_none(), "{wrong}");
        }
    }
}
