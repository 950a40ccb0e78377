//! `--rate-limit` and `--trusted-proxy` (`docs/behaviour.md`, "Limits on one sender").

use std::time::Instant;

use crate::harness::inquiry::{post, post_bytes, with};
use crate::harness::{Request, Server, Setup, record, run};
use crate::refusing::message;

/// Starts a server with this limit of inquiries per minute.
fn limited(limit: &str, proxies: &[&str]) -> Server {
    let mut setup = Setup::bare().args(&["--rate-limit", limit]);
    for proxy in proxies {
        setup = setup.args(&["--trusted-proxy", proxy]);
    }
    setup.start()
}

/// A POST that a proxy forwards for this client.
fn from(client: &str) -> Request {
    post(&record("Krause")).header("X-Forwarded-For", client)
}

#[test]
fn inquiries_over_the_limit_get_a_retry_after() {
    let server = limited("3", &[]);
    for _ in 0..3 {
        assert_eq!(server.post(&record("Krause")).status, 201);
    }
    let refused = server.post(&record("Krause"));
    let message = message(&refused, 429);
    assert!(message.contains("Bitte"), "{message}");
    let wait: u32 = refused.expect("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(server.stored().len(), 3);
    assert_eq!(server.get("/").status, 200, "pages are not limited");
}

#[test]
fn the_default_limit_is_ten_a_minute() {
    let server = Setup::bare().start();
    let start = Instant::now();
    let accepted = (0..40)
        .take_while(|_| server.post(&record("Krause")).status == 201)
        .count();
    // On a slow machine, the allowance grows in the meantime, by one every six seconds.
    let refilled = usize::try_from(start.elapsed().as_secs()).unwrap() / 6 + 1;
    assert!((10..=10 + refilled).contains(&accepted), "{accepted}");
}

#[test]
fn zero_disables_the_limit() {
    let server = limited("0", &[]);
    for _ in 0..50 {
        assert_eq!(server.post(&record("Krause")).status, 201);
    }
}

#[test]
fn refused_inquiries_do_not_count() {
    let server = limited("1", &[]);
    for _ in 0..3 {
        message(&server.post(&with("postal_code", "1")), 400);
        message(&server.send(&post_bytes("{")), 400);
        message(
            &server.send(&post(&record("Krause")).header("Origin", "null")),
            403,
        );
        message(
            &server.send(&post(&record("Krause")).header("Idempotency-Key", "")),
            400,
        );
    }
    assert_eq!(server.post(&record("Krause")).status, 201);
    message(&server.post(&record("Krause")), 429);
}

#[test]
fn repetitions_are_not_limited() {
    let server = limited("1", &[]);
    let request = post(&record("Krause")).header("Idempotency-Key", "key");
    for _ in 0..5 {
        assert_eq!(server.send(&request).status, 201);
    }
    message(&server.post(&record("Krause")), 429);
    assert_eq!(server.send(&request).status, 201);
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn untrusted_forwarded_addresses_are_ignored() {
    let server = limited("1", &[]);
    assert_eq!(server.send(&from("198.51.100.1")).status, 201);
    message(&server.send(&from("198.51.100.2")), 429);
    let server = limited("1", &["10.0.0.0/8"]);
    assert_eq!(server.send(&from("198.51.100.1")).status, 201);
    message(&server.send(&from("198.51.100.2")), 429);
}

#[test]
fn clients_behind_a_trusted_proxy_have_their_own_limits() {
    let server = limited("1", &["127.0.0.0/8"]);
    for client in ["198.51.100.1", "198.51.100.2", "2001:db8::1"] {
        assert_eq!(server.send(&from(client)).status, 201, "{client}");
        message(&server.send(&from(client)), 429);
    }
    assert_eq!(
        server.post(&record("Krause")).status,
        201,
        "without the header the proxy itself is the client"
    );
    message(&server.post(&record("Krause")), 429);
}

#[test]
fn the_rightmost_untrusted_address_is_the_client() {
    let server = limited("1", &["127.0.0.1/32", "10.0.0.0/8"]);
    assert_eq!(server.send(&from("203.0.113.9, 198.51.100.1")).status, 201);
    for same in [
        "198.51.100.1",
        "1.2.3.4, 198.51.100.1",
        "1.2.3.4,198.51.100.1",
        "198.51.100.1, 10.1.2.3",
        "5.6.7.8, 198.51.100.1 , 10.1.2.3, 10.9.9.9",
        "::ffff:198.51.100.1",
    ] {
        assert_eq!(server.send(&from(same)).status, 429, "{same}");
    }
    let two_lines = from("5.6.7.8").header("X-Forwarded-For", "198.51.100.1");
    assert_eq!(
        server.send(&two_lines).status,
        429,
        "two header lines form one list"
    );
    assert_eq!(
        server.send(&from("198.51.100.1, 203.0.113.9")).status,
        201,
        "another client"
    );
}

#[test]
fn an_ipv6_network_is_one_client() {
    let server = limited("1", &["127.0.0.1/32"]);
    assert_eq!(server.send(&from("2001:db8:1:2::1")).status, 201);
    for same in [
        "2001:db8:1:2::2",
        "2001:db8:1:2:ffff:ffff:ffff:ffff",
        "2001:0DB8:1:2:0:0:0:1",
    ] {
        assert_eq!(server.send(&from(same)).status, 429, "{same}");
    }
    for other in ["2001:db8:1:3::1", "2001:db8:1::1"] {
        assert_eq!(server.send(&from(other)).status, 201, "{other}");
    }
}

#[test]
fn malformed_forwarded_addresses_do_not_bypass_the_limit() {
    let server = limited("1", &["127.0.0.1/32"]);
    let malformed = ["unknown", "", ",", "a.b.c.d", "999.1.1.1", "_hidden", "<script>"];
    let accepted = malformed
        .iter()
        .filter(|client| server.send(&from(client)).status == 201)
        .count();
    assert_eq!(accepted, 1);
}

#[test]
fn the_limit_spans_connections() {
    let server = limited("5", &[]);
    let accepted: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    (0..4)
                        .filter(|_| server.post(&record("Krause")).status == 201)
                        .count()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    // The allowance grows by one in twelve seconds, which a slow machine may need.
    assert!((5..=6).contains(&accepted), "{accepted}");
    assert_eq!(server.stored().len(), accepted);
}

#[test]
fn a_restart_forgets_who_was_limited() {
    let server = limited("1", &[]);
    assert_eq!(server.post(&record("Erste")).status, 201);
    message(&server.post(&record("Zweite")), 429);
    let server = server.restart();
    assert_eq!(server.post(&record("Zweite")).status, 201);
}

#[test]
fn invalid_values_are_refused() {
    let dir = crate::harness::Dir::new();
    for (flag, value) in [
        ("--trusted-proxy", "nobody"),
        ("--trusted-proxy", "10.0.0.0/99"),
        ("--rate-limit", "-1"),
        ("--rate-limit", "many"),
    ] {
        run(
            dir.path(),
            &["serve", "--listen", "127.0.0.1:0", &format!("{flag}={value}")],
        )
        .misuse(flag);
    }
    assert!(!dir.has_store());
}
