//! The public origin of the site, and the spelling of hosts.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use hyper::Uri;

/// Scheme, host and port, without a trailing slash: `https://www.example.de`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// Parses an http or https URL without path, query or user info. A single trailing slash is allowed.
    ///
    /// # Errors
    /// A description of the expected form when the text has a different one.
    pub fn parse(given: &str) -> Result<Self, String> {
        let fail = |reason| {
            let advice = ascii_advice(given.trim());
            format!("`{given}` {reason}; give the site's origin, such as https://www.example.de{advice}")
        };
        let uri: Uri = given.trim().parse().map_err(|_| fail("is not a URL"))?;
        let Some(scheme @ ("http" | "https")) = uri.scheme_str() else {
            return Err(fail("does not start with http:// or https://"));
        };
        let authority = uri.authority().ok_or_else(|| fail("names no host"))?;
        if authority.as_str().contains('@') {
            return Err(fail("holds a user name"));
        }
        if authority.host().is_empty() {
            return Err(fail("names no host"));
        }
        let is_port = |text: &str| text.parse::<u16>().is_ok_and(|port| port > 0);
        let behind_host = authority
            .as_str()
            .strip_prefix(authority.host())
            .unwrap_or_default();
        if behind_host.strip_prefix(':').is_some_and(|port| !is_port(port)) {
            return Err(fail("has a port that is none"));
        }
        if uri.path() != "/" || uri.query().is_some() || given.contains('#') {
            return Err(fail("holds more than scheme, host and port"));
        }
        let authority = without_default_port(authority.as_str(), scheme).to_ascii_lowercase();
        Ok(Self(format!("{scheme}://{authority}")))
    }

    /// The origin of a server that is reached directly at an address, by `http` or `https`.
    pub fn of(scheme: &str, address: SocketAddr) -> Self {
        let authority = address.to_string();
        Self(format!("{scheme}://{}", without_default_port(&authority, scheme)))
    }

    /// The origin as browsers write it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the scheme is https.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// The host alone; an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        without_port(self.authority())
    }

    /// The host, and the port if it is not the default of the scheme.
    pub fn authority(&self) -> &str {
        self.0
            .split_once("://")
            .map_or(&self.0, |(_, authority)| authority)
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        Self::parse(given)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The host of an authority; an IPv6 address in brackets.
pub fn without_port(authority: &str) -> &str {
    let end = match authority.find(']') {
        Some(bracket) => bracket + 1,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    authority.get(..end).unwrap_or(authority)
}

/// Strips the default port of the scheme, as browsers do in `Origin` and `Host`.
pub fn without_default_port<'a>(authority: &'a str, scheme: &str) -> &'a str {
    let port = if scheme == "https" { ":443" } else { ":80" };
    authority.strip_suffix(port).unwrap_or(authority)
}

/// A hint for errors about a URL or mail address whose host is not in ASCII: the host's ASCII form. Empty for any other text.
pub fn ascii_advice(text: &str) -> String {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '>']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split(':').next().unwrap_or(host);
    // Any other text may be a misplaced secret, which must not be quoted.
    let is_address = text.contains("://") || text.contains('@');
    if host.is_ascii() || !host.contains('.') || !is_address {
        return String::new();
    }
    idna::domain_to_ascii(host).map_or_else(
        |_| String::new(),
        |ascii| format!("; umlauts are not taken here, so write its host as {ascii}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_the_domain_name_system_is_named() {
        for text in [
            "smtp://mail.müller.de:587",
            "https://mail.müller.de/hook?a#b",
            "info@mail.müller.de",
            "Müller <info@mail.MÜLLER.de>",
            "https://a:ä@mail.müller.de",
        ] {
            assert!(
                ascii_advice(text).ends_with(" mail.xn--mller-kva.de"),
                "{text}: {}",
                ascii_advice(text)
            );
        }
        for text in [
            "",
            "ftp://mail.example.de",
            "jürgen@example.de",
            "pässw.ort",
            "Müller <a@b.de>",
        ] {
            assert_eq!(ascii_advice(text), "", "{text}");
        }
    }

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

    #[test]
    fn origins_are_written_as_browsers_do() {
        for (given, expected) in [
            ("https://www.example.de", "https://www.example.de"),
            ("https://WWW.Example.de/", "https://www.example.de"),
            ("https://example.de:443", "https://example.de"),
            ("http://example.de:80/", "http://example.de"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(Origin::parse(given).unwrap().as_str(), expected, "{given}");
        }
    }

    #[test]
    fn the_host_stands_without_its_port() {
        for (given, expected) in [
            ("https://www.example.de", "www.example.de"),
            ("http://127.0.0.1:8080", "127.0.0.1"),
            ("http://[::1]:8080", "[::1]"),
        ] {
            assert_eq!(Origin::parse(given).unwrap().host(), expected);
        }
    }

    #[test]
    fn the_default_port_of_a_listen_address_is_left_out() {
        for (address, expected) in [
            ("127.0.0.1:80", "http://127.0.0.1"),
            ("[::1]:80", "http://[::1]"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("127.0.0.1:443", "http://127.0.0.1:443"),
        ] {
            let origin = Origin::of("http", address.parse().unwrap());
            assert_eq!(origin.as_str(), expected);
            assert_eq!(origin, Origin::parse(&format!("http://{address}")).unwrap());
        }
    }

    #[test]
    fn other_texts_are_refused_with_advice() {
        for given in [
            "",
            "example.de",
            "ftp://example.de",
            "https://",
            "https://example.de/path",
            "https://example.de?x",
            "https://example.de#x",
            "https://user@example.de",
            "https://example.de:99999",
            "https://example.de:0",
            "https://example.de:",
            "https://[::1]:65536",
            "https://exa mple.de",
            "javascript:alert(1)",
        ] {
            let error = Origin::parse(given).unwrap_err();
            assert!(error.contains("https://www.example.de"), "{given}: {error}");
        }
    }
}
