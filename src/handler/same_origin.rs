//! The check that a POST comes from our own pages (`docs/behaviour.md`, "HTTP").

use hyper::HeaderMap;
use hyper::header;

use crate::text::origin::{Origin, without_default_port};

/// Returns whether the request may change anything: it has no `Origin` (a command-line client), or its `Origin` names the
/// host it was sent to or the public one, and the browser does not call it cross-site.
pub fn is_allowed(headers: &HeaderMap, host: Option<&str>, public: &Origin) -> bool {
    if headers
        .get("sec-fetch-site")
        .is_some_and(|site| site.as_bytes().eq_ignore_ascii_case(b"cross-site"))
    {
        return false;
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    if origins.next().is_some() {
        return false;
    }
    let Some((scheme, authority)) = origin.to_str().ok().and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    let authority = without_default_port(authority, scheme);
    authority.eq_ignore_ascii_case(public.authority())
        || host.is_some_and(|host| authority.eq_ignore_ascii_case(without_default_port(host, scheme)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(fields: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        let host = headers.get(header::HOST).map(|host| host.to_str().unwrap());
        is_allowed(&headers, host, &Origin::parse("https://www.example.de").unwrap())
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
    }
}
