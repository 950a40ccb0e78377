//! Requests that two parsers could understand differently (RFC 9112). Each gets one defined response, and whatever
//! follows on the connection is never treated as a second request.

mod framing;
mod lines;
mod targets;

use std::time::{Duration, Instant};

use crate::harness::inquiry::INQUIRIES;
use crate::harness::{Server, record};

/// Expected instead of a status if the server closes the connection without a response.
const CLOSED: u16 = 0;

/// Follows every request under test. Each of those must end the connection, so this one gets no response.
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
        let status = match connection.try_receive(method) {
            Ok(response) => response.status,
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => panic!("{shown:?}: {error}"),
            Err(_) => CLOSED,
        };
        assert_eq!(status, expected, "{shown:?}");
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
    // Without `Connection: close`, the body still ends the connection.
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

/// An HTTP/1.0 connection serves one request, unless the client asks to keep it alive.
#[test]
fn http_1_0_is_supported() {
    let server = Server::start();
    let body = record("Krause").to_string();
    check(
        &server,
        [
            ("GET /faq HTTP/1.0\r\n\r\n".to_owned(), 200),
            ("HEAD /faq HTTP/1.0\r\n\r\n".to_owned(), 200),
            (
                "GET /gibt-es-nicht HTTP/1.0\r\nConnection: close\r\n\r\n".to_owned(),
                404,
            ),
            (
                format!(
                    "POST {INQUIRIES} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                ),
                201,
            ),
            (
                format!("POST {INQUIRIES} HTTP/1.0\r\nContent-Type: application/json\r\n\r\n{body}"),
                400,
            ),
        ],
    );
    assert_eq!(server.stored().len(), 1);
    let mut connection = server.connect();
    for _ in 0..2 {
        connection
            .send_raw("GET /faq HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            .unwrap();
        let response = connection.receive("GET");
        assert_eq!(response.status, 200);
        assert_eq!(response.header("transfer-encoding"), None);
        assert_eq!(response.expect("content-length"), response.body.len().to_string());
    }
}

/// A refused request ends the connection. Requests pipelined after it get no response.
#[test]
fn refused_requests_end_a_pipeline() {
    let server = Server::start();
    for (wrong, status) in [
        ("GET /faq HTTP/1.1\r\nHo st: x\r\n\r\n", 400),
        (
            "POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            400,
        ),
    ] {
        let mut connection = server.connect();
        connection.send_raw([NEXT, NEXT, wrong, NEXT].concat()).unwrap();
        for expected in [200, 200, status] {
            assert_eq!(connection.receive("GET").status, expected, "{wrong:?}");
        }
        assert!(connection.rest().is_empty(), "{wrong:?}");
    }
}
