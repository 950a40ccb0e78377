//! Plain requests are redirected to TLS, and only encrypted responses have `Strict-Transport-Security`.

use crate::harness::{Request, Server, Setup, TlsServer};

/// The minimum that browsers and scanners expect: 180 days.
const LEAST: u64 = 180 * 24 * 60 * 60;

const STRICT: &str = "strict-transport-security";

/// The target of a redirect with status 308.
fn target(server: &Server, request: &Request) -> String {
    let response = server.send(request);
    assert_eq!(response.status, 308, "{request:?}");
    assert_eq!(response.header(STRICT), None, "not encrypted");
    response.expect("location").to_owned()
}

#[test]
fn plain_requests_go_to_the_same_place_by_tls() {
    let server = TlsServer::with(&[]);
    let port = server.address.port();
    let plain = &server.server;
    for (host, target_host) in [
        ("www.example.de", "www.example.de"),
        ("www.example.de:80", "www.example.de"),
        ("[::1]:8080", "[::1]"),
    ] {
        for path in ["/", "/faq?a=b&c=%20", "/nirgends", "/FAQ/", "//evil.example/a"] {
            let request = Request::get(path).header("Host", host);
            assert_eq!(
                target(plain, &request),
                format!("https://{target_host}:{port}{path}")
            );
        }
    }
    let inquiry = Request::new("POST", "/rest/v1/inquiries")
        .header("Host", "a")
        .body("{}");
    assert_eq!(
        target(plain, &inquiry),
        format!("https://a:{port}/rest/v1/inquiries")
    );
    let absolute = Request::get("http://b.example/faq").header("Host", "b.example");
    assert_eq!(target(plain, &absolute), format!("https://b.example:{port}/faq"));
    assert_eq!(plain.send(&Request::get("/").header("Host", "a b")).status, 400);
}

#[test]
fn plain_requests_go_to_the_public_address_if_it_is_named() {
    let server = TlsServer::with(&["--public-url", "https://www.example.de"]);
    let request = Request::get("/faq?a=b").header("Host", "x.example");
    assert_eq!(target(&server.server, &request), "https://www.example.de/faq?a=b");
}

#[test]
fn a_public_address_without_tls_makes_no_loop() {
    let server = TlsServer::with(&["--public-url", "http://www.example.de"]);
    let request = Request::get("/faq").header("Host", "www.example.de");
    let port = server.address.port();
    assert_eq!(
        target(&server.server, &request),
        format!("https://www.example.de:{port}/faq")
    );
    server.server.logged("is not reached by TLS");
}

#[test]
fn some_requests_stay_plain() {
    let server = TlsServer::with(&[]);
    let health = server.server.get("/healthz");
    assert_eq!((health.status, health.header(STRICT)), (200, None));
    let challenge = server.server.get("/.well-known/acme-challenge/token");
    assert_eq!((challenge.status, challenge.header(STRICT)), (404, None));
    let policy = challenge.expect("content-security-policy");
    assert!(!policy.contains("upgrade"), "{policy}");
}

#[test]
fn a_trusted_proxy_may_have_done_tls() {
    let server = TlsServer::with(&["--trusted-proxy", "127.0.0.1/32"]);
    let forwarded = |values: &[&str]| {
        values.iter().fold(Request::get("/faq"), |request, value| {
            request.header("X-Forwarded-Proto", value)
        })
    };
    for (values, status) in [
        (&["https"][..], 200),
        (&["HTTPS"], 200),
        (&["http", "https"], 200),
        (&["http, https"], 200),
        (&["http"], 308),
        (&["https", "http"], 308),
        (&["https, http"], 308),
        (&[], 308),
    ] {
        assert_eq!(
            server.server.send(&forwarded(values)).status,
            status,
            "{values:?}"
        );
    }
    let stranger = TlsServer::with(&[]);
    assert_eq!(stranger.server.send(&forwarded(&["https"])).status, 308);
}

#[test]
fn encrypted_responses_ask_for_encryption() {
    let server = TlsServer::with(&[]);
    for path in ["/", "/healthz", "/nirgends", "/FAQ", "/rest/v1/inquiries"] {
        let response = server.send(&Request::get(path));
        let value = response.expect(STRICT);
        let seconds: u64 = value.strip_prefix("max-age=").unwrap().parse().unwrap();
        assert!(seconds >= LEAST, "{path}: {value}");
    }
    let page = server.send(&Request::get("/"));
    assert!(
        page.expect("content-security-policy")
            .ends_with("upgrade-insecure-requests")
    );
}

#[test]
fn a_page_has_no_telling_length_for_other_sites() {
    let server = TlsServer::with(&[]);
    let page = |fields: &[(&str, &str)]| {
        let request = Request::get("/").header("Accept-Encoding", "br");
        let request = fields
            .iter()
            .fold(request, |request, (name, value)| request.header(name, value));
        server.send(&request).header("content-encoding").is_some()
    };
    let own = format!("{}/faq", server.origin());
    assert!(page(&[]));
    assert!(page(&[("Referer", &own)]));
    assert!(page(&[
        ("Referer", "https://www.google.com/"),
        ("Sec-Fetch-Site", "cross-site")
    ]));
    assert!(!page(&[("Referer", "https://www.google.com/")]));
    assert!(!page(&[("Referer", "nonsense")]));
}

#[test]
fn the_public_address_is_that_of_tls() {
    let server = TlsServer::with(&[]);
    let page = server.send(&Request::get("/faq"));
    let canonical = format!("href=\"https://{}/faq\"", server.address);
    assert!(page.text().contains(&canonical), "{canonical}");
}

#[test]
fn several_listeners_serve_side_by_side() {
    let server = TlsServer::start(Setup::new(), &["--tls-listen", "127.0.0.1:0", "--threads", "2"]);
    for address in server.server.wait_for_tls(2) {
        let server = server.at(address);
        for _ in 0..8 {
            assert_eq!(server.send(&Request::get("/healthz")).status, 200);
        }
    }
    let ended = server.server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}
