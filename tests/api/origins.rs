//! Only the site's own pages and clients other than browsers may post (`docs/behaviour.md`, "HTTP").

use crate::harness::inquiry::{post, post_bytes};
use crate::harness::{Request, Server, record};
use crate::refusing::message;

const PUBLIC: &str = "https://www.tauben.example";

fn server() -> Server {
    Server::with(&["--public-url", PUBLIC])
}

#[test]
fn own_pages_may_post() {
    let server = server();
    let here = server.origin();
    let here_secure = here.replace("http://", "https://");
    for origin in [
        here.as_str(),
        here_secure.as_str(),
        PUBLIC,
        "https://WWW.Tauben.Example",
    ] {
        let response = server.send(&post(&record("Krause")).header("Origin", origin));
        assert_eq!(response.status, 201, "{origin}: {}", response.text());
    }
    let request = |host: &str, origin: &str| {
        post(&record("Krause"))
            .header("Host", host)
            .header("Origin", origin)
    };
    for (host, origin) in [
        ("tauben.example", "https://tauben.example"),
        ("tauben.example:8080", "http://tauben.example:8080"),
    ] {
        assert_eq!(server.send(&request(host, origin)).status, 201, "{host} {origin}");
    }
    for site in ["same-origin", "same-site", "none"] {
        let request = post(&record("Krause"))
            .header("Origin", PUBLIC)
            .header("Sec-Fetch-Site", site);
        assert_eq!(server.send(&request).status, 201, "{site}");
    }
}

#[test]
fn requests_without_an_origin_are_accepted() {
    let server = server();
    assert_eq!(
        server
            .send(&post(&record("Krause")).header("User-Agent", "curl/8"))
            .status,
        201
    );
}

#[test]
fn other_origins_are_refused() {
    let server = server();
    for origin in [
        "null",
        "",
        "https://evil.example",
        "https://www.tauben.example.evil.example",
        "https://evilwww.tauben.example",
        "https://tauben.example",
        "https://www.tauben.example@evil.example",
        "https://evil.example/www.tauben.example",
        "https://evil.example#www.tauben.example",
        "http://127.0.0.1:1",
        "http://localhost",
        "www.tauben.example",
        "chrome-extension://abcdef",
    ] {
        message(
            &server.send(&post(&record("Krause")).header("Origin", origin)),
            403,
        );
    }
    assert!(server.stored().is_empty());
}

#[test]
fn cross_site_requests_are_refused() {
    let server = server();
    for origin in [None, Some(PUBLIC)] {
        let mut request = post(&record("Krause")).header("Sec-Fetch-Site", "cross-site");
        if let Some(origin) = origin {
            request = request.header("Origin", origin);
        }
        message(&server.send(&request), 403);
    }
    assert!(server.stored().is_empty());
}

#[test]
fn multiple_origins_are_refused() {
    let server = server();
    let request = post(&record("Krause"))
        .header("Origin", PUBLIC)
        .header("Origin", "https://evil.example");
    assert!(matches!(server.send(&request).status, 400 | 403));
    assert!(server.stored().is_empty());
}

#[test]
fn the_origin_is_checked_before_the_body() {
    let server = server();
    let evil = |request: Request| server.send(&request.header("Origin", "https://evil.example"));
    message(&evil(post_bytes("{")), 403);
    message(&evil(post(&record("Krause"))), 403);
    let form = Request::new("POST", crate::harness::inquiry::INQUIRIES)
        .header("Content-Type", "text/plain")
        .body(record("Krause").to_string());
    message(&evil(form), 403);
}

#[test]
fn no_response_allows_cross_origin_reads() {
    let server = server();
    for request in [
        post(&record("Krause")),
        Request::new("OPTIONS", crate::harness::inquiry::INQUIRIES)
            .header("Access-Control-Request-Method", "POST"),
        Request::get("/"),
    ] {
        let response = server.send(&request.header("Origin", "https://evil.example"));
        assert_eq!(response.header("access-control-allow-origin"), None);
    }
}
