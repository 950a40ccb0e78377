//! The check that a POST comes from our own pages (`docs/behaviour.md`, "HTTP").

use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;

use super::app::App;
use super::https::Encrypted;
use super::target;
use crate::base::text::origin::{Origin, without_default_port};

/// Returns whether the request may change anything: it has no `Origin` (a command-line client), or its `Origin` names the
/// host it was sent to or the public one, and the browser does not call it cross-site. At the desk the scheme counts, too. Before the
/// site a proxy may speak TLS under names of which nothing is known here.
pub fn is_allowed(app: &App, parts: &Parts) -> bool {
    let is_encrypted = parts.extensions.get::<Encrypted>().is_some();
    let encryption = app.handler.is_some().then_some(is_encrypted);
    is_own(&parts.headers, target::host(parts), &app.origin, encryption)
}

/// `encryption` says whether the request came by TLS; `None` where that says nothing of the browser's side.
fn is_own(headers: &HeaderMap, host: Option<&str>, public: &Origin, encryption: Option<bool>) -> bool {
    let is_from = |kind| target::says(headers, "sec-fetch-site", kind);
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
