//! What every request must fulfil: the rules of RFC 9112 for its target and `Host` that hyper does not check (sections 3.2 and
//! 3.3); and that a POST comes from our own pages (`docs/behaviour.md`, "HTTP").

use std::net::Ipv6Addr;

use hyper::HeaderMap;
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::{Authority, Scheme};
use hyper::{Method, Uri, Version};

use super::app::App;
use super::https::Encrypted;
use crate::base::text::origin::{Origin, without_default_port};

/// Longest path with query. RFC 9112 recommends accepting at least 8000 bytes; the longest of ours, a campaign's link to
/// the questionnaire, has a few hundred.
pub const MAX_TARGET: usize = 8000;

/// Why a request is refused before anything else is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetError {
    /// The target is longer than [`MAX_TARGET`].
    TooLong,
    /// The target has none of the forms that HTTP knows, or not the one of its method.
    InvalidTarget,
    /// `Host` is missing, repeated or invalid.
    InvalidHost,
}

/// Checks what every request must fulfil before anything else is looked at.
///
/// # Errors
/// See [`TargetError`].
pub fn check(parts: &Parts) -> Result<(), TargetError> {
    if parts
        .uri
        .path_and_query()
        .is_some_and(|target| target.as_str().len() > MAX_TARGET)
    {
        return Err(TargetError::TooLong);
    }
    if !is_target(&parts.method, &parts.uri) {
        return Err(TargetError::InvalidTarget);
    }
    let mut hosts = parts.headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        // Clients of HTTP/1.0 need not send it.
        (None, _) if parts.version == Version::HTTP_10 => Ok(()),
        // Clients of HTTP/2 send the authority in its place, or both; then they must agree (RFC 9113, 8.3.1).
        (None, _) if parts.version == Version::HTTP_2 && parts.uri.authority().is_some() => Ok(()),
        (Some(host), None) if parts.version == Version::HTTP_2 && !agrees(host, &parts.uri) => {
            Err(TargetError::InvalidHost)
        }
        (Some(host), None) if is_authority(host.as_bytes()) => Ok(()),
        _ => Err(TargetError::InvalidHost),
    }
}

fn agrees(host: &HeaderValue, uri: &Uri) -> bool {
    uri.authority().is_none_or(|authority| {
        authority
            .as_str()
            .as_bytes()
            .eq_ignore_ascii_case(host.as_bytes())
    })
}

/// Returns the host that the request is for: the target's if it names one, else that of `Host`.
pub fn host(parts: &Parts) -> Option<&str> {
    let named = parts.uri.authority().map(Authority::as_str);
    named.or_else(|| parts.headers.get(header::HOST).map(HeaderValue::to_str)?.ok())
}

/// Returns whether the target has one of the four forms, and the method is one that the form is for.
fn is_target(method: &Method, uri: &Uri) -> bool {
    match (uri.scheme(), uri.authority()) {
        (Some(scheme), Some(authority)) => {
            (*scheme == Scheme::HTTP || *scheme == Scheme::HTTPS)
                && is_authority(authority.as_str().as_bytes())
        }
        (None, Some(authority)) => method == Method::CONNECT && is_authority(authority.as_str().as_bytes()),
        (None, None) if uri.path() == "*" => method == Method::OPTIONS,
        (None, None) => uri.path().starts_with('/'),
        (Some(_), None) => false,
    }
}

/// Returns whether the bytes are a host with or without a port. The grammar allows nearly every character in a host. Those
/// of DNS names and addresses are enough for every name that can lead here, and harmless wherever a host is written.
fn is_authority(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    if let Some(literal) = text.strip_prefix('[') {
        return literal
            .split_once(']')
            .is_some_and(|(address, port)| address.parse::<Ipv6Addr>().is_ok() && is_port(port));
    }
    let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
    !name.is_empty() && name.bytes().all(is_name_byte) && is_port(port)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Returns whether the text is empty, or a colon and perhaps a number.
fn is_port(text: &str) -> bool {
    let Some(port) = text.strip_prefix(':') else {
        return text.is_empty();
    };
    port.is_empty() || (port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok())
}

/// Returns whether the request may change anything: it has no `Origin` (a command-line client), or its `Origin` names the
/// host it was sent to or the public one, and the browser does not call it cross-site. At the desk the scheme counts, too. Before the
/// site a proxy may speak TLS under names of which nothing is known here.
pub fn is_own_page(app: &App, parts: &Parts) -> bool {
    let is_encrypted = parts.extensions.get::<Encrypted>().is_some();
    let encryption = app.handler.is_some().then_some(is_encrypted);
    is_own(&parts.headers, host(parts), &app.origin, encryption)
}

/// `encryption` says whether the request came by TLS; `None` where that says nothing of the browser's side.
fn is_own(headers: &HeaderMap, host: Option<&str>, public: &Origin, encryption: Option<bool>) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let is_from = |kind: &str| site.is_some_and(|site| site.eq_ignore_ascii_case(kind.as_bytes()));
    if is_from("cross-site") {
        return false;
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else {
        // A program says nothing of sites; a browser that says so names the origin of each POST.
        return !is_from("same-site");
    };
    if origins.next().is_some() {
        return false;
    }
    let Some((scheme, authority)) = origin.to_str().ok().and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    let authority = without_default_port(authority, scheme);
    let is_https = scheme.eq_ignore_ascii_case("https");
    if !is_https && !scheme.eq_ignore_ascii_case("http") {
        return false;
    }
    let is_public = encryption.is_none() || is_https == public.is_https();
    let is_direct = encryption.is_none_or(|is_encrypted| is_https == is_encrypted);
    let is_host = |host| authority.eq_ignore_ascii_case(without_default_port(host, scheme));
    (is_public && authority.eq_ignore_ascii_case(public.authority()))
        || (is_direct && host.is_some_and(is_host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_and_addresses() {
        for host in [
            "www.example.de",
            "WWW.Example.de:443",
            "localhost:8080",
            "web_1:80",
            "127.0.0.1",
            "[::1]",
            "[2001:db8::1]:8080",
            "example.de.",
            "example.de:",
        ] {
            assert!(is_authority(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn other_texts_are_not_hosts() {
        for host in [
            "",
            ":80",
            "a b",
            "a,b",
            "a/b",
            "a\\b",
            "a?b",
            "a#b",
            "user@example.de",
            "http://example.de",
            "example.de:80:80",
            "example.de:+80",
            "example.de:65536",
            "example.de:x",
            "::1",
            "[::1",
            "::1]",
            "[::1]x",
            "[1.2.3.4]",
            "[]",
            "münchen.de",
            "<script>",
            "a%00b",
        ] {
            assert!(!is_authority(host.as_bytes()), "{host}");
        }
        assert!(!is_authority(b"a\xffb"));
    }

    fn allowed(fields: &[(&'static str, &str)]) -> bool {
        allowed_by(fields, None)
    }

    fn allowed_by(fields: &[(&'static str, &str)], encryption: Option<bool>) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        let host = headers.get(header::HOST).map(|host| host.to_str().unwrap());
        let public = Origin::parse("https://www.example.de").unwrap();
        is_own(&headers, host, &public, encryption)
    }

    #[test]
    fn only_our_own_pages_and_programs_may_post() {
        let host = ("host", "127.0.0.1:8080");
        assert!(allowed(&[host]));
        assert!(allowed(&[
            host,
            ("origin", "http://127.0.0.1:8080"),
            ("sec-fetch-site", "same-origin")
        ]));
        assert!(allowed(&[host, ("origin", "https://www.example.de")]));
        assert!(allowed(&[host, ("origin", "https://WWW.example.de:443")]));
        assert!(allowed(&[
            ("host", "example.org"),
            ("origin", "http://example.org:80")
        ]));
        assert!(!allowed(&[host, ("origin", "null")]));
        assert!(!allowed(&[host, ("origin", "https://evil.example")]));
        assert!(!allowed(&[
            host,
            ("origin", "https://www.example.de.evil.example")
        ]));
        assert!(!allowed(&[host, ("origin", "http://127.0.0.1:8081")]));
        assert!(!allowed(&[host, ("sec-fetch-site", "cross-site")]));
        assert!(!allowed(&[
            host,
            ("origin", "https://www.example.de"),
            ("sec-fetch-site", "cross-site")
        ]));
        assert!(!allowed(&[
            host,
            ("origin", "https://www.example.de"),
            ("origin", "https://evil.example")
        ]));
        assert!(!allowed(&[host, ("origin", "")]));
        assert!(!allowed(&[host, ("origin", "ftp://127.0.0.1:8080")]));
        assert!(!allowed(&[host, ("sec-fetch-site", "same-site")]));
        assert!(allowed(&[host, ("sec-fetch-site", "none")]));
    }

    #[test]
    fn at_the_desk_the_scheme_is_the_same_too() {
        let host = ("host", "127.0.0.1:8090");
        let by = |origin, is_encrypted| allowed_by(&[host, ("origin", origin)], Some(is_encrypted));
        assert!(by("http://127.0.0.1:8090", false) && by("https://127.0.0.1:8090", true));
        assert!(!by("https://127.0.0.1:8090", false) && !by("http://127.0.0.1:8090", true));
        // A proxy has the desk's address, and TLS ends there.
        assert!(by("https://www.example.de", false) && !by("http://www.example.de", false));
    }
}
