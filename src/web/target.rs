//! Checks the rules of RFC 9112 for request targets and `Host` that hyper does not (sections 3.2 and 3.3), and reads request heads.

use std::net::Ipv6Addr;

use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::{Authority, Scheme};
use hyper::{HeaderMap, Method, Uri, Version};

use super::api_error::ApiError;

/// Longest path with query. RFC 9112 recommends accepting at least 8000 bytes; our longest, a campaign's link to the questionnaire,
/// has a few hundred.
pub const MAX_TARGET: usize = 8000;

/// Checks the rules for every request, before anything else.
///
/// # Errors
/// When the target is longer than [`MAX_TARGET`], invalid, or not of a form that its method allows, or when `Host` is missing,
/// repeated or invalid.
pub fn check(parts: &Parts) -> Result<(), ApiError> {
    if parts
        .uri
        .path_and_query()
        .is_some_and(|target| target.as_str().len() > MAX_TARGET)
    {
        return Err(ApiError::target_too_long(MAX_TARGET));
    }
    if !is_target(&parts.method, &parts.uri) {
        return Err(ApiError::bad_target());
    }
    let mut hosts = parts.headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        // HTTP/1.0 clients need not send it.
        (None, _) if parts.version == Version::HTTP_10 => Ok(()),
        // HTTP/2 clients send the authority instead, or both, which must then agree (RFC 9113, 8.3.1).
        (None, _) if parts.version == Version::HTTP_2 && parts.uri.authority().is_some() => Ok(()),
        (Some(host), None) if parts.version == Version::HTTP_2 && !agrees(host, &parts.uri) => {
            Err(ApiError::bad_host())
        }
        (Some(host), None) if is_authority(host.as_bytes()) => Ok(()),
        _ => Err(ApiError::bad_host()),
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

/// The requested host: the target's if it has one, else that of `Host`.
pub fn host(parts: &Parts) -> Option<&str> {
    let named = parts.uri.authority().map(Authority::as_str);
    named.or_else(|| parts.headers.get(header::HOST).map(HeaderValue::to_str)?.ok())
}

/// Whether a header has this value, ignoring case.
pub fn says(headers: &HeaderMap, name: &str, value: &str) -> bool {
    let found = headers.get(name);
    found.is_some_and(|found| found.as_bytes().eq_ignore_ascii_case(value.as_bytes()))
}

/// Whether the target has one of the four forms, and one that the method allows.
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

/// Whether the bytes are a host with an optional port. The grammar allows nearly every character in a host. Those of DNS names and
/// addresses suffice for every name that can lead here, and are harmless wherever a host is written.
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

/// Whether the text is empty, or a colon and an optional port number.
fn is_port(text: &str) -> bool {
    let Some(port) = text.strip_prefix(':') else {
        return text.is_empty();
    };
    port.is_empty() || (port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok())
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
}
