//! Requests whose framing is wrong or too large: refused, and never understood as something else.

use crate::harness::inquiry::{INQUIRIES, post};
use crate::harness::{Request, Server, record};

/// Sends bytes and gives the status of the first answer; 0 when the server just closes.
fn status(server: &Server, bytes: impl AsRef<[u8]>) -> u16 {
    let mut connection = server.connect();
    // The server may close before it has read everything.
    let _ = connection.send_raw(bytes);
    connection
        .try_receive("GET")
        .map_or(0, |response| response.status)
}

#[test]
fn a_request_line_that_is_none_is_a_bad_request() {
    let server = Server::start();
    for line in [
        "GET\r\n\r\n",
        "GET /faq\r\n\r\n",
        "GET  /faq HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /faq HTTP/9.9\r\nHost: x\r\n\r\n",
        "GET /faq HTTQ/1.1\r\nHost: x\r\n\r\n",
        "G\u{0}T /faq HTTP/1.1\r\nHost: x\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n",
        "GET /faq HTTP/1.1\r\nHo st: x\r\n\r\n",
        "GET /faq HTTP/1.1\r\nHost\r\n\r\n",
        "GET /faq HTTP/1.1\r\nHost: x\r\nX: a\u{0}b\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let status = status(&server, line);
        assert!(matches!(status, 0 | 400 | 505), "{line:?}: {status}");
    }
    assert_eq!(server.get("/faq").status, 200);
}

/// A POST with these framing headers and a body that hides a second request.
fn smuggling(headers: &str) -> String {
    let hidden = format!(
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n{}",
        record("Geschmuggelt")
    );
    format!(
        "POST {INQUIRIES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{headers}\r\n\r\n0\r\n\r\n{hidden}"
    )
}

#[test]
fn ambiguous_lengths_are_refused() {
    let server = Server::start();
    for headers in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5, 6",
        "Content-Length: +5",
        "Content-Length: -1",
        "Content-Length: 0x5",
        "Content-Length: 5 5",
        "Content-Length: 99999999999999999999999999",
        "Content-Length:",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: identity",
    ] {
        let mut connection = server.connect();
        let _ = connection.send_raw(smuggling(headers));
        let status = connection
            .try_receive("POST")
            .map_or(0, |response| response.status);
        assert!(matches!(status, 0 | 400 | 413 | 501), "{headers:?}: {status}");
        let rest = connection.rest();
        assert!(
            rest.is_empty(),
            "{headers:?}: a second request was seen: {:?}",
            String::from_utf8_lossy(&rest)
        );
    }
    assert!(server.stored().is_empty());
}

#[test]
fn broken_chunks_are_refused() {
    let server = Server::start();
    let body = format!("[{}]", record("Krause"));
    for chunks in [
        format!("-1\r\n{body}\r\n0\r\n\r\n"),
        format!("xyz\r\n{body}\r\n0\r\n\r\n"),
        format!("ffffffffffffffffff\r\n{body}\r\n0\r\n\r\n"),
        format!("{:x}\r\n{body}0\r\n\r\n", body.len()),
        format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len() - 1),
    ] {
        let head = format!(
            "POST {INQUIRIES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        );
        let status = status(&server, head + &chunks);
        assert!(matches!(status, 0 | 400 | 413), "{chunks:?}: {status}");
    }
    assert!(server.stored().is_empty());
}

#[test]
fn a_head_that_is_too_large_is_refused() {
    let server = Server::start();
    let large = Request::get("/")
        .header("X-Large", &"x".repeat(64 * 1024))
        .bytes("x");
    assert!(matches!(status(&server, large), 0 | 431));
    let mut many = Request::get("/");
    for number in 0..1000 {
        many = many.header(&format!("X-{number}"), "x");
    }
    assert!(matches!(status(&server, many.bytes("x")), 0 | 431));
    let just_large = Request::get("/").header("Cookie", &"x".repeat(8 * 1024));
    assert_eq!(
        server.send(&just_large).status,
        200,
        "large cookies of a shared domain are borne"
    );
}

#[test]
fn a_head_that_is_too_large_is_told_so() {
    let server = Server::start();
    let head = Request::get("/")
        .header("X-Large", &"x".repeat(17 * 1024))
        .bytes("x");
    assert_eq!(status(&server, head), 431);
}

#[test]
fn an_address_that_is_too_long_is_refused() {
    let server = Server::start();
    for length in [20_000, 70_000] {
        let status = status(
            &server,
            Request::get(&format!("/{}", "a".repeat(length))).bytes("x"),
        );
        assert!(matches!(status, 0 | 414 | 431), "{length}: {status}");
    }
    let bearable = format!("/fragebogen?utm={}", "a".repeat(4000));
    assert_eq!(server.get(&bearable).status, 200);
}

#[test]
fn line_breaks_cannot_be_smuggled_into_headers() {
    let server = Server::start();
    for target in [
        "/faq/?%0d%0aX-Evil:%20yes",
        "/%0d%0aX-Evil:%20yes/",
        "/x%0d%0a%0d%0a<html>.xml",
    ] {
        let response = server.get(target);
        assert_eq!(response.header("x-evil"), None, "{target}");
    }
}

#[test]
fn bytes_after_a_body_are_no_part_of_it() {
    let server = Server::start();
    let mut bytes = post(&record("Krause")).bytes("x");
    bytes.extend_from_slice(b"\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut connection = server.connect();
    connection.send_raw(bytes).unwrap();
    assert_eq!(connection.receive("POST").status, 201);
    assert_eq!(
        connection.receive("GET").status,
        200,
        "an empty line between requests is ignored"
    );
    assert_eq!(server.stored().len(), 1);
}
