//! Requests that two parsers could interpret differently (RFC 9112). Each gets one defined response, and what follows on the
//! connection is never treated as a second request.

mod targets;

use std::time::{Duration, Instant};

use crate::harness::inquiry::INQUIRIES;
use crate::harness::{Server, record};

/// Follows every request under test. Each of those must close the connection, so this one gets no response.
const NEXT: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

/// How soon a refused connection must be closed: long before any timeout.
const PROMPT: Duration = Duration::from_secs(8);

/// Sends each request, followed by [`NEXT`], and checks the only response. The server must still work afterwards.
fn check<B: AsRef<[u8]>>(server: &Server, cases: impl IntoIterator<Item = (B, u16)>) {
    for (request, expected) in cases {
        let shown = String::from_utf8_lossy(request.as_ref()).into_owned();
        let start = Instant::now();
        let mut connection = server.connect();
        // The server may close before it has read everything.
        let _ = connection.send_raw([request.as_ref(), NEXT.as_bytes()].concat());
        let method = if shown.starts_with("HEAD ") { "HEAD" } else { "GET" };
        assert_eq!(connection.receive(method).status, expected, "{shown:?}");
        let rest = connection.rest();
        assert!(rest.is_empty(), "{shown:?}: {:?}", String::from_utf8_lossy(&rest));
        assert!(start.elapsed() < PROMPT, "{shown:?}: {:?}", start.elapsed());
    }
    assert_eq!(server.get("/faq").status, 200);
    assert!(!server.stderr().contains("panic"), "{}", server.stderr());
}

#[test]
fn unexpected_bodies_are_not_parsed_as_requests() {
    let get = |lines: &str, body: &str| {
        format!("GET /faq HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n\r\n{body}")
    };
    let length = NEXT.len();
    check(
        &Server::start(),
        [
            (get(&format!("Content-Length: {length}"), NEXT), 200),
            (
                get(
                    "Transfer-Encoding: chunked",
                    &format!("{length:x}\r\n{NEXT}\r\n0\r\n\r\n"),
                ),
                200,
            ),
            (get("Transfer-Encoding: chunked", "nonsense"), 200),
            (get("Content-Length: 1000000", NEXT), 200),
            (get("Content-Length: +1", NEXT), 400),
        ],
    );
    // Without `Connection: close`, a body still closes the connection.
    let server = Server::start();
    let inner = "POST /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    let keep_alive = |method: &str, path: &str| {
        let length = inner.len();
        format!("{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n{inner}")
    };
    check(
        &server,
        [
            (keep_alive("GET", "/faq"), 200),
            (keep_alive("GET", "/faq/"), 301),
            (keep_alive("GET", "/nix"), 404),
            (keep_alive("DELETE", "/rest/v1/inquiries"), 405),
            (keep_alive("POST", "ftp://x/"), 400),
        ],
    );
}

/// hyper determines where a body ends. These are the most common attempts at request smuggling.
#[test]
fn ambiguous_lengths_are_refused_or_end_the_connection() {
    let server = Server::start();
    let body = record("Krause").to_string();
    let chunks = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let post = |version: &str, lines: &str, body: &str| {
        format!(
            "POST {INQUIRIES} HTTP/{version}\r\nHost: x\r\nContent-Type: application/json\r\n{lines}\r\n\r\n{body}"
        )
    };
    check(
        &server,
        [
            ("1.1", "Content-Length: 5\r\nContent-Length: 6", &body, 400),
            ("1.1", "Content-Length: 5, 6", &body, 400),
            ("1.1", "Transfer-Encoding: chunked, identity", &chunks, 400),
            ("1.1", "Transfer-Encoding : chunked", &chunks, 400),
            ("1.0", "Transfer-Encoding: chunked", &chunks, 400),
        ]
        .map(|(version, lines, body, status)| (post(version, lines, body), status)),
    );
    assert!(server.stored().is_empty());
    // `Transfer-Encoding` takes precedence, and the connection is closed after the chunks (RFC 9112, section 6.1).
    let both = "Content-Length: 5\r\nTransfer-Encoding: chunked";
    check(&server, [(post("1.1", both, &chunks), 201)]);
    assert_eq!(server.stored().len(), 1);
}
