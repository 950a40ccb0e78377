//! Content negotiation, validators and HEAD: the same page, in fewer bytes (contract and design, section 4).

use std::collections::HashSet;

use crate::harness::{Request, Response, Server, compression};

const PATHS: [&str; 5] = [
    "/",
    "/blog/taubenabwehr-altona",
    "/sitemap.xml",
    "/blog/feed",
    "/robots.txt",
];
const CODINGS: [&str; 3] = ["br", "gzip", "zstd"];

fn get(server: &Server, path: &str, accept: &str) -> Response {
    server.send(&Request::get(path).header("Accept-Encoding", accept))
}

#[test]
fn every_coding_gives_the_same_content() {
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
fn the_weights_a_client_gives_are_honoured() {
    let server = Server::start();
    for (accept, expected) in [
        ("br;q=0.1, gzip;q=0.9", Some("gzip")),
        ("gzip;q=0.1, zstd;q=0.2, br;q=0.05", Some("zstd")),
        ("GZIP", Some("gzip")),
        ("gzip ; q=1.000 , br ; q=0.999", Some("gzip")),
        ("br;q=0, gzip;q=0, zstd;q=0", None),
        ("gzip;q=0.000", None),
        ("deflate, compress", None),
        ("", None),
        ("identity", None),
        ("identity;q=1, br;q=0.5", None),
        ("br;q=0, zstd;q=0, *", Some("gzip")),
        ("*;q=0, br", Some("br")),
        ("gzip, deflate, br, zstd", Some("br")),
    ] {
        let response = get(&server, "/faq", accept);
        assert_eq!(response.status, 200, "{accept:?}");
        assert_eq!(response.header("content-encoding"), expected, "{accept:?}");
    }
}

#[test]
fn caches_are_told_what_the_answer_depends_on() {
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
fn a_copy_that_is_current_is_not_sent_again() {
    let server = Server::start();
    for path in PATHS {
        for accept in ["", "br", "gzip", "zstd"] {
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
fn every_coding_has_a_tag_of_its_own() {
    let server = Server::start();
    let tags: HashSet<String> = ["", "br", "gzip", "zstd"]
        .iter()
        .map(|accept| get(&server, "/faq", accept).expect("etag").to_owned())
        .collect();
    assert_eq!(tags.len(), 4, "{tags:?}");
    for tag in &tags {
        assert!(
            tag.starts_with('"') && tag.ends_with('"'),
            "{tag} is no strong tag"
        );
    }
    let compressed = get(&server, "/faq", "br").expect("etag").to_owned();
    let plain = server.send(&Request::get("/faq").header("If-None-Match", &compressed));
    assert_eq!(plain.status, 200, "a compressed copy stands for the plain page");
}

#[test]
fn a_page_of_other_settings_has_another_tag() {
    let one = Server::with(&["--public-url", "https://one.example"]);
    let two = Server::with(&["--public-url", "https://two.example"]);
    assert_ne!(one.get("/").expect("etag"), two.get("/").expect("etag"));
    let restarted = one.restart();
    let again = restarted.get("/");
    let copy = server_copy(&restarted, again.expect("etag"));
    assert_eq!(copy.status, 304, "the same settings make the same page");
}

fn server_copy(server: &Server, tag: &str) -> Response {
    server.send(&Request::get("/").header("If-None-Match", tag))
}

#[test]
fn head_is_get_without_the_body() {
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
                // An empty body may go without its length.
                headers.retain(|(name, value)| name != "date" && (name != "content-length" || value != "0"));
                headers.sort();
                (response.status, headers)
            };
            assert_eq!(headers("HEAD"), headers("GET"), "{path} {accept}");
        }
    }
}

#[test]
fn every_answer_defends_the_browser() {
    let server = Server::start();
    for path in [
        "/",
        "/gibt-es-nicht",
        "/favicon.svg",
        "/healthz",
        "/rest/v1/inquiries",
        "/faq/",
    ] {
        let response = server.get(path);
        assert_eq!(
            response.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
    }
    for path in ["/", "/gibt-es-nicht", "/danke"] {
        let response = server.get(path);
        let policy = response.expect("content-security-policy");
        assert!(
            !policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    }
}

#[test]
fn the_policy_lets_every_script_and_style_of_the_pages_run() {
    let server = Server::start();
    for path in crate::harness::site::pages() {
        let page = crate::harness::site::page(&server, &path);
        for script in page.all("script") {
            let kind = script.attribute("type").unwrap_or_default();
            let is_code = kind.is_empty() || kind == "module" || kind == "text/javascript";
            assert!(
                !is_code || script.attribute("src").is_some(),
                "inline code on {path}: {}",
                script.text
            );
        }
        assert_eq!(page.all("style").count(), 0, "an inline style sheet on {path}");
        for element in &page.elements {
            let forbidden = element
                .attributes
                .keys()
                .find(|name| *name == "style" || name.starts_with("on"));
            assert_eq!(forbidden, None, "<{}> on {path}", element.name);
        }
    }
}
