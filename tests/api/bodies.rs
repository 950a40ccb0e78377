//! Malformed, hostile, oversized and mislabelled request bodies (`docs/behaviour.md`, "The inquiry API").

use crate::harness::inquiry::{INQUIRIES, post, post_bytes};
use crate::harness::{Request, Server, record};
use crate::refusing::message;

/// The largest accepted body, in bytes.
const LIMIT: usize = 16 * 1024;

#[test]
fn a_post_without_a_body_is_refused() {
    let server = Server::start();
    let request = Request::new("POST", INQUIRIES).header("Content-Type", "application/json");
    message(&server.send(&request), 400);
    message(&server.send(&request.header("Content-Length", "0")), 400);
}

/// A valid inquiry, padded with white space to exactly `length` bytes.
fn padded(length: usize) -> Vec<u8> {
    let mut body = format!("[{}]", record("Krause")).into_bytes();
    body.resize(length, b' ');
    body
}

/// Encodes a body in chunks of this size.
fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in body.chunks(size) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

#[test]
fn bodies_over_16_kib_are_refused() {
    let server = Server::start();
    assert_eq!(server.send(&post_bytes(padded(LIMIT))).status, 201);
    for length in [LIMIT + 1, 2 * LIMIT, 10 * LIMIT] {
        message(&server.send(&post_bytes(padded(length))), 413);
    }
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn the_limit_applies_to_chunked_bodies() {
    let server = Server::start();
    for (length, size) in [(LIMIT, 1000), (LIMIT, LIMIT), (LIMIT, 7)] {
        let request = post_bytes(chunked(&padded(length), size)).header("Transfer-Encoding", "chunked");
        assert_eq!(server.send(&request).status, 201, "{length} in pieces of {size}");
    }
    for (length, size) in [(LIMIT + 1, 1000), (4 * LIMIT, LIMIT)] {
        let request = post_bytes(chunked(&padded(length), size)).header("Transfer-Encoding", "chunked");
        message(&server.send(&request), 413);
    }
    assert_eq!(server.stored().len(), 3);
}

#[test]
fn oversized_lengths_are_refused_before_the_body() {
    let server = Server::start();
    for length in ["16777216", "99999999999"] {
        let request = post_bytes("").header("Content-Length", length);
        message(&server.send(&request), 413);
        let response = server.connect().send(&request);
        assert_eq!(response.status, 413);
        assert_eq!(response.expect("connection"), "close");
    }
}

#[test]
fn clients_that_send_all_of_an_oversized_body_get_a_response() {
    let server = Server::start();
    // Such clients read only after they have sent everything.
    let body = padded(10_000_000);
    for request in [
        post_bytes(body.clone()),
        post_bytes(chunked(&body, LIMIT)).header("Transfer-Encoding", "chunked"),
        Request::new("POST", "/faq").body(body.clone()),
    ] {
        let mut connection = server.connect();
        let bytes = request.bytes("x");
        connection.send_raw(&bytes).expect("the server reads all of it");
        let response = connection.receive("POST");
        message(&response, if request.target == INQUIRIES { 413 } else { 405 });
        assert_eq!(response.expect("connection"), "close");
        assert!(connection.rest().is_empty());
    }
}

#[test]
fn other_content_types_are_refused() {
    let server = Server::start();
    let body = format!("[{}]", record("Krause"));
    let bare = Request::new("POST", INQUIRIES).body(body.clone());
    message(&server.send(&bare), 415);
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/json",
        "application/jsonp",
        "application/json-patch+json",
        "application/vnd.api+json",
        "application",
        "json",
        "*/*",
        "",
        "text/plain; application/json",
    ] {
        message(&server.send(&bare.clone().header("Content-Type", kind)), 415);
    }
    message(
        &server.send(&post_bytes(body.clone()).header("Content-Encoding", "gzip")),
        415,
    );
    assert!(server.stored().is_empty());
    for kind in [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json;charset=UTF-8",
    ] {
        assert_eq!(
            server.send(&bare.clone().header("Content-Type", kind)).status,
            201,
            "{kind}"
        );
    }
    assert_eq!(server.stored().len(), 3);
}

#[test]
fn truncated_bodies_are_not_stored() {
    let server = Server::start();
    let whole = post(&record("Krause")).bytes("x");
    for missing in [1, 2, 100] {
        let mut connection = server.connect();
        connection.send_raw(&whole[..whole.len() - missing]).unwrap();
        drop(connection);
    }
    assert_eq!(server.post(&record("Ganz")).status, 201);
    assert_eq!(server.stored().len(), 1);
}
