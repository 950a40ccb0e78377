//! Content negotiation, validators, HEAD and security headers (`docs/behaviour.md`, "HTTP").

use std::collections::HashSet;

use crate::harness::{Request, Response, Server, compression, policy};

const PATHS: [&str; 5] = [
    "/",
    "/blog/taubenabwehr-altona",
    "/sitemap.xml",
    "/blog/feed",
    "/robots.txt",
];
const CODINGS: [&str; 2] = ["br", "gzip"];

fn get(server: &Server, path: &str, accept: &str) -> Response {
    server.send(&Request::get(path).header("Accept-Encoding", accept))
}

#[test]
fn every_coding_decodes_to_the_same_content() {
    let server = Server::start();
    for path in PATHS {
        let plain = server.get(path);
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        for coding in CODINGS {
            let response = get(&server, path, coding);
            assert_eq!(response.header("content-encoding"), Some(coding), "{path}");
            assert_eq!(compression::decoded(&response), plain.body, "{path} {coding}");
            assert_eq!(
                response.expect("content-type"),
                plain.expect("content-type"),
                "{path}"
            );
        }
    }
}

#[test]
fn quality_values_are_honoured() {
    let server = Server::start();
    for (accept, expected) in [
        ("br;q=0.1, gzip;q=0.9", Some("gzip")),
        ("gzip;q=0.1, zstd;q=0.2, br;q=0.05", Some("gzip")),
        ("GZIP", Some("gzip")),
        ("gzip ; q=1.000 , br ; q=0.999", Some("gzip")),
        ("br;q=0, gzip;q=0", None),
        ("zstd", None),
        ("gzip;q=0.000", None),
        ("deflate, compress", None),
        ("", None),
        ("identity", None),
        ("identity;q=1, br;q=0.5", None),
        ("br;q=0, *", Some("gzip")),
        ("*;q=0, br", Some("br")),
        ("gzip, deflate, br, zstd", Some("br")),
    ] {
        let response = get(&server, "/faq", accept);
        assert_eq!(response.status, 200, "{accept:?}");
        assert_eq!(response.header("content-encoding"), expected, "{accept:?}");
    }
}

#[test]
fn responses_have_vary_and_cache_control() {
    let server = Server::start();
    for path in PATHS {
        for accept in ["", "br", "gzip"] {
            let response = get(&server, path, accept);
            let vary = response.expect("vary").to_ascii_lowercase();
            assert!(vary.contains("accept-encoding"), "{path}: {vary}");
            assert_eq!(response.expect("cache-control"), "no-cache", "{path}");
            assert_eq!(
                response.expect("content-length"),
                response.body.len().to_string(),
                "{path}"
            );
        }
    }
}

#[test]
fn a_questionnaire_fetched_ahead_of_a_click_may_be_used_for_a_minute() {
    let server = Server::start();
    let ask = |path, purpose| server.send(&Request::get(path).header("Purpose", purpose));
    for path in ["/fragebogen", "/fragebogen?propertyType=industrial&step=1"] {
        let response = ask(path, "prefetch");
        assert_eq!(response.expect("cache-control"), "private, max-age=60", "{path}");
        let tag = response.expect("etag").to_owned();
        let again = Request::get(path).header("Purpose", "prefetch");
        let again = server.send(&again.header("If-None-Match", &tag));
        assert_eq!(again.status, 304, "{path}");
        assert_eq!(again.expect("cache-control"), "private, max-age=60", "{path}");
        assert_eq!(ask(path, "preview").expect("cache-control"), "no-cache", "{path}");
    }
    for path in ["/", "/danke", "/fragebogen/x"] {
        assert_eq!(
            ask(path, "prefetch").expect("cache-control"),
            "no-cache",
            "{path}"
        );
    }
}

#[test]
fn current_copies_get_304() {
    let server = Server::start();
    for path in PATHS {
        for accept in ["", "br", "gzip"] {
            let first = get(&server, path, accept);
            let tag = first.expect("etag").to_owned();
            for condition in [
                tag.clone(),
                format!("W/{tag}"),
                format!("\"x\", {tag}"),
                "*".to_owned(),
            ] {
                let request = Request::get(path).header("Accept-Encoding", accept);
                let again = server.send(&request.header("If-None-Match", &condition));
                assert_eq!(again.status, 304, "{path} {accept} {condition}");
                assert_eq!(again.expect("etag"), tag, "{path} {accept}");
                assert!(
                    again.header("vary").is_some() && again.header("cache-control").is_some(),
                    "{path}"
                );
            }
        }
    }
}

#[test]
fn every_coding_has_its_own_etag() {
    let server = Server::start();
    let tags: HashSet<String> = ["", "br", "gzip"]
        .into_iter()
        .map(|accept| get(&server, "/faq", accept).expect("etag").to_owned())
        .collect();
    assert_eq!(tags.len(), 3, "{tags:?}");
    for tag in &tags {
        assert!(
            tag.starts_with('"') && tag.ends_with('"'),
            "{tag} is not a strong ETag"
        );
    }
    let compressed = get(&server, "/faq", "br").expect("etag").to_owned();
    let plain = server.send(&Request::get("/faq").header("If-None-Match", &compressed));
    assert_eq!(
        plain.status, 200,
        "the ETag of a compressed copy matches the plain page"
    );
}

#[test]
fn etags_depend_on_the_settings() {
    let one = Server::with(&["--public-url", "https://one.example"]);
    let two = Server::with(&["--public-url", "https://two.example"]);
    assert_ne!(one.get("/").expect("etag"), two.get("/").expect("etag"));
    let restarted = one.restart();
    let again = restarted.get("/");
    let copy = get_if_changed(&restarted, again.expect("etag"));
    assert_eq!(copy.status, 304, "the same settings produce the same page");
}

fn get_if_changed(server: &Server, tag: &str) -> Response {
    server.send(&Request::get("/").header("If-None-Match", tag))
}

#[test]
fn head_matches_get_without_the_body() {
    let server = Server::start();
    for path in [
        "/",
        "/faq",
        "/gibt-es-nicht",
        "/sitemap.xml",
        "/favicon.svg",
        "/healthz",
        "/faq/",
        "/assets/x.js",
    ] {
        for accept in ["", "br"] {
            let headers = |method: &str| {
                let response = server.send(&Request::new(method, path).header("Accept-Encoding", accept));
                let mut headers = response.headers;
                // A response without a body may omit `Content-Length: 0`.
                headers.retain(|(name, value)| {
                    !["date", "x-request-id"].contains(&name.as_str())
                        && (name != "content-length" || value != "0")
                });
                headers.sort();
                (response.status, headers)
            };
            assert_eq!(headers("HEAD"), headers("GET"), "{path} {accept}");
        }
    }
}

/// One response of every kind.
fn every_kind(server: &Server) -> Vec<(String, Response)> {
    let mut responses = Vec::new();
    for path in [
        "/",
        "/gibt-es-nicht",
        "/danke",
        "/favicon.svg",
        "/platzhalter.svg",
        "/og-image.png",
        "/robots.txt",
        "/sitemap.xml",
        "/blog/feed",
        "/assets/missing.js",
        "/healthz",
        "/rest/v1/inquiries",
        "/faq/",
    ] {
        responses.push((path.to_owned(), server.get(path)));
    }
    for accept in ["identity;q=0, *;q=0", "gzip"] {
        let request = Request::get("/faq").header("Accept-Encoding", accept);
        responses.push((format!("/faq {accept}"), server.send(&request)));
    }
    let etag = server.get("/faq").expect("etag").to_owned();
    responses.push((
        "/faq again".to_owned(),
        server.send(&Request::get("/faq").header("If-None-Match", &etag)),
    ));
    let inquiry = crate::harness::inquiry::post(&crate::harness::record("Krause"));
    responses.push(("an inquiry".to_owned(), server.send(&inquiry)));
    let cross_site = inquiry.header("Origin", "https://other.example");
    responses.push(("a cross-site inquiry".to_owned(), server.send(&cross_site)));
    responses.push((
        "an unsupported method".to_owned(),
        server.send(&Request::new("PATCH", "/")),
    ));
    responses
}

#[test]
fn every_response_has_security_headers() {
    let server = Server::with(&["--public-url", "https://www.tauben.example"]);
    for (what, response) in every_kind(&server) {
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("strict-transport-security", "max-age=63072000"),
        ] {
            assert_eq!(response.header(name), Some(value), "{what}");
        }
        let policy = response.expect("content-security-policy");
        for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{what}: {policy}");
        }
        // SVG images contain their own style sheets.
        let is_svg = response
            .header("content-type")
            .is_some_and(|kind| kind.contains("svg"));
        assert_eq!(
            policy.contains("style-src 'unsafe-inline'"),
            is_svg,
            "{what}: {policy}"
        );
        assert!(!policy.contains("unsafe-eval"), "{what}: {policy}");
        for name in [
            "server",
            "x-powered-by",
            "set-cookie",
            "access-control-allow-origin",
        ] {
            assert_eq!(response.header(name), None, "{what}");
        }
    }
    for path in ["/", "/gibt-es-nicht", "/danke"] {
        let page = server.get(path);
        let text = page.expect("content-security-policy");
        for part in ["form-action 'self'", "upgrade-insecure-requests"] {
            assert!(text.contains(part), "{path}: {text}");
        }
        assert_scripts_are_known(&page, path);
        let styles = policy::of_styles(page.text());
        assert_eq!(styles.len(), 2, "{path}");
        assert_eq!(policy::sources(&page, "style-src"), styles, "{path}");
        assert!(
            page.expect("permissions-policy").contains("geolocation=()"),
            "{path}"
        );
        assert_eq!(
            page.expect("speculation-rules"),
            "\"/speculation-rules.json\"",
            "{path}"
        );
    }
}

#[test]
fn https_headers_are_omitted_without_https() {
    let server = Server::start();
    for (what, response) in every_kind(&server) {
        assert_eq!(response.header("strict-transport-security"), None, "{what}");
        assert!(
            !response.expect("content-security-policy").contains("upgrade"),
            "{what}"
        );
    }
}

/// Asserts that only scripts of the site run, and inline scripts whose hash the policy lists.
fn assert_scripts_are_known(page: &Response, path: &str) {
    let allowed = policy::sources(page, "script-src");
    for script in policy::of_scripts(page.text()) {
        assert!(allowed.contains(&script), "{path}: {script}");
    }
    let is_narrow = |source: &String| source == "'self'" || source.starts_with("'sha256-");
    assert!(allowed.iter().all(is_narrow), "{path}: {allowed:?}");
}

#[test]
fn pages_contain_no_inline_code_but_what_their_policy_knows() {
    let server = Server::start();
    for path in crate::harness::site::pages() {
        let page = crate::harness::site::page(&server, &path);
        let response = server.get(&path);
        assert_scripts_are_known(&response, &path);
        for script in page.all("script") {
            let kind = script.attribute("type").unwrap_or_default();
            let is_code = kind.is_empty() || kind == "module" || kind == "text/javascript";
            assert!(
                !is_code || script.attribute("src").is_some() || script.attributes.is_empty(),
                "inline script on {path}: {}",
                script.text
            );
        }
        for element in &page.elements {
            let forbidden = element
                .attributes
                .keys()
                .find(|name| *name == "style" || name.starts_with("on"));
            assert_eq!(forbidden, None, "<{}> on {path}", element.name);
        }
    }
}
