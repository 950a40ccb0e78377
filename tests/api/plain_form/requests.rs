//! Links that preselect options, and requests that are not a visitor's form.

use std::time::{Duration, Instant};

use super::form::{PATH, RIGHT, chosen, encoded, page, post, right, thanks, value, with};
use crate::harness::{Document, Request, Response, Server, Setup, until_true};

#[test]
fn a_link_chooses_in_advance() {
    let server = Server::start();
    let open = |query: &str| {
        let response = server.get(&format!("{PATH}{query}"));
        assert_eq!(response.status, 200);
        assert_eq!(response.expect("cache-control"), "no-cache", "{query}");
        Document::parse(response.text())
    };
    let page = open("?propertyType=commercial-restaurant&step=1");
    assert_eq!(chosen(&page, "propertyType"), ["commercial-restaurant"]);
    assert_eq!(chosen(&page, "locations"), [""; 0]);
    assert_eq!(chosen(&open("?problem=dach"), "locations"), ["roof"]);
    assert_eq!(
        chosen(&open("?propertyType=other&problem=x"), "propertyType"),
        [""; 0]
    );
    // A property type without its own option is sent unless the visitor chooses one.
    let page = open("?propertyType=multi");
    assert_eq!(chosen(&page, "propertyType"), [""; 0]);
    assert!(page.text().contains("Vorausgewählt: Wohngebäude."));
    let hidden = page.all("input").find(|input| {
        input.attribute("name") == Some("propertyType") && input.attribute("type") == Some("hidden")
    });
    assert_eq!(hidden.unwrap().attribute("value"), Some("residential"));
    // A fresh server, since a form that is sent within a second of opening it is suspicious.
    let server = Server::start();
    thanks(&server.send(&with("propertyType", "residential")));
    assert_eq!(server.stored()[0]["property_type"], "residential");
}

#[test]
fn requests_that_are_no_form_of_ours_get_a_page() {
    let server = Server::start();
    let message = |request: &Request, status| {
        let response = server.send(request);
        let page = page(&response, status);
        assert!(page.text().contains("Ihre Anfrage wurde nicht gesendet"));
        assert_eq!(value(&page, "lastName"), "", "nothing of it is shown");
        response
    };
    message(&right().header("Origin", "https://evil.example"), 403);
    message(&right().header("Origin", "null"), 403);
    message(&right().header("Sec-Fetch-Site", "cross-site"), 403);
    let json = Request::new("POST", PATH)
        .header("Content-Type", "application/json")
        .body("[]");
    message(&json, 415);
    message(&Request::new("POST", PATH).body("a=b"), 415);
    message(&post("firstName=%FF"), 400);
    message(&with("problemOther", &"x".repeat(16 * 1024)), 413);
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        let response = message(&Request::new(method, PATH), 405);
        assert_eq!(response.expect("allow"), "GET, HEAD, POST");
    }
    assert_eq!(server.stored().len(), 0);
    let head = server.send(&Request::new("HEAD", PATH));
    assert_eq!((head.status, head.body.len()), (200, 0));
    // Valid forms are still accepted.
    thanks(&server.send(&right().header("Origin", &server.origin())));
    // Just below the limit.
    let fields = RIGHT.iter().copied().chain([("x", "y")]);
    let mut body = encoded(fields);
    body.push_str(&"y".repeat(16 * 1024 - body.len()));
    thanks(&server.send(&post(body)));
}

#[test]
fn the_limit_is_that_of_the_api() {
    let server = Setup::bare().args(&["--rate-limit", "1"]).start();
    thanks(&server.send(&right()));
    let response = server.send(&with("lastName", "Krause"));
    let limited = page(&response, 429);
    let wait: u32 = response.expect("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(value(&limited, "lastName"), "Krause");
    assert_eq!(chosen(&limited, "problems"), ["nesting", "other"]);
    assert_eq!(server.post(&crate::harness::record("Krause")).status, 429);
    assert_eq!(
        thanks(&server.send(&right())),
        "/danke",
        "a repetition is not limited"
    );
}

#[test]
fn robots_are_answered_like_visitors() {
    let server = Server::start();
    let is_like_others = |response: &Response| {
        let address = thanks(response);
        assert_eq!(address.len(), "/danke?anfrage=".len() + 43, "{address}");
    };
    is_like_others(&server.send(&with("homepage", "https://example.com")));
    assert_eq!(server.stored().len(), 0);
    // Nothing is known about a client that never requested the page.
    is_like_others(&server.send(&with("lastName", "Unbekannt")));
    assert_eq!(server.stored().len(), 1);
    // The server records the visit between these two times.
    let before = Instant::now();
    assert_eq!(server.get(PATH).status, 200);
    let after = Instant::now();
    let response = server.send(&with("lastName", "Eilig"));
    is_like_others(&response);
    if before.elapsed() < Duration::from_secs(1) {
        assert_eq!(server.stored().len(), 1);
        assert!(server.logged("TooQuick").contains("suspected"));
    }
    // The first visit counts.
    let page = || server.get(PATH).status;
    until_true("a second since the first visit", || {
        after.elapsed() > Duration::from_millis(1100)
    });
    assert_eq!(page(), 200);
    is_like_others(&server.send(&with("lastName", "Geduldig")));
    assert!(server.stored().iter().any(|row| row["last_name"] == "Geduldig"));
}

#[test]
fn a_wrong_token_gets_the_plain_thanks() {
    let server = Server::start();
    let plain = server.get("/danke");
    let address = thanks(&server.send(&right()));
    for query in [
        "anfrage=x",
        "anfrage=",
        "x=y",
        "anfrage=AaICgypJcu-XPZV7aUZtzWnXfVCnBu43HxPVTMy1PCo",
    ] {
        let response = server.get(&format!("/danke?{query}"));
        assert_eq!(response.status, 200);
        assert_eq!(response.text(), plain.text(), "{query}");
    }
    // A token with an invalid proof.
    let (start, end) = address.split_at(address.len() - 8);
    let forged = format!("{start}{}", end.chars().rev().collect::<String>());
    let response = server.get(&forged);
    assert!(forged == address || response.text() == plain.text());
}

#[test]
fn a_demo_stores_nothing_and_says_thanks() {
    let server = Server::with(&["--demo"]);
    assert_eq!(thanks(&server.send(&right())), "/danke");
    let page = page(&server.send(&with("email", "x")), 400);
    assert_eq!(value(&page, "email"), "x");
}
