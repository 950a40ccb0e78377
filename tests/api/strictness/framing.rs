//! Where a body ends (RFC 9112, sections 6 and 7).

use super::check;
use crate::harness::inquiry::INQUIRIES;
use crate::harness::{Server, record};

/// Returns a POST of an inquiry with these header lines and this body.
fn post(lines: &str, body: &str) -> String {
    format!(
        "POST {INQUIRIES} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n{lines}\r\n\r\n{body}"
    )
}

#[test]
fn ambiguous_lengths_are_refused() {
    let server = Server::start();
    let body = record("Krause").to_string();
    let length = body.len();
    check(
        &server,
        [
            ("Content-Length: 5\r\nContent-Length: 6".to_owned(), 400),
            ("Content-Length: 5, 6".to_owned(), 400),
            ("Content-Length: 5, 5".to_owned(), 400),
            ("Content-Length: +5".to_owned(), 400),
            ("Content-Length: -1".to_owned(), 400),
            ("Content-Length: 0x5".to_owned(), 400),
            ("Content-Length: 5 5".to_owned(), 400),
            ("Content-Length: 5.0".to_owned(), 400),
            ("Content-Length: ٥".to_owned(), 400),
            ("Content-Length:".to_owned(), 400),
            ("Content-Length: 99999999999999999999999999".to_owned(), 400),
            ("Content-Length: 9223372036854775807".to_owned(), 413),
            // hyper itself refuses a number that is too large for it.
            ("Content-Length: 18446744073709551615".to_owned(), 431),
            ("Transfer-Encoding: xchunked".to_owned(), 400),
            ("Transfer-Encoding: chunked, identity".to_owned(), 400),
            ("Transfer-Encoding: identity".to_owned(), 400),
            ("Transfer-Encoding:".to_owned(), 400),
            ("Transfer-Encoding: \u{b}chunked".to_owned(), 400),
            (
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity".to_owned(),
                400,
            ),
            ("Transfer-Encoding : chunked".to_owned(), 400),
            // The body is empty and contains no record.
            ("Content-Length: 0".to_owned(), 400),
            ("X: y".to_owned(), 400),
        ]
        .map(|(lines, status)| (post(&lines, &body), status)),
    );
    assert!(server.stored().is_empty());
    check(
        &server,
        [
            (post(&format!("Content-Length: {length}"), &body), 201),
            // Equal lengths count as one (RFC 9112, 6.3), and leading zeros are ignored.
            (
                post(
                    &format!("Content-Length: {length}\r\nContent-Length: {length}"),
                    &body,
                ),
                201,
            ),
            (post(&format!("Content-Length: 000{length}"), &body), 201),
        ],
    );
    assert_eq!(server.stored().len(), 3);
}

/// A parser that prefers the length would find another end of the body. The chunks count, and the connection closes
/// after them even if the client would keep it (RFC 9112, 6.1).
#[test]
fn chunks_take_precedence_over_a_length() {
    let server = Server::start();
    let body = record("Krause").to_string();
    let chunks = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let both = |lines: &str| {
        format!(
            "POST {INQUIRIES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{lines}\r\n\r\n{chunks}"
        )
    };
    check(
        &server,
        [
            (both("Content-Length: 5\r\nTransfer-Encoding: chunked"), 201),
            (both("Transfer-Encoding: chunked\r\nContent-Length: 5"), 201),
            (
                both("Transfer-Encoding: chunked\r\nContent-Length: nonsense"),
                201,
            ),
        ],
    );
    assert_eq!(server.stored().len(), 3);
    check(
        &server,
        [
            // HTTP/1.0 has no chunks.
            (
                both("Transfer-Encoding: chunked").replace("HTTP/1.1", "HTTP/1.0"),
                400,
            ),
            (
                both("Content-Length: 5\r\nTransfer-Encoding: chunked").replace("HTTP/1.1", "HTTP/1.0"),
                400,
            ),
        ],
    );
    assert_eq!(server.stored().len(), 3);
}

#[test]
fn malformed_chunks_are_refused() {
    let server = Server::start();
    let body = record("Krause").to_string();
    let length = body.len();
    let chunked = |chunks: &str| post("Transfer-Encoding: chunked", chunks);
    check(
        &server,
        [
            (format!("-1\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("+{length:x}\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("0x{length:x}\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("xyz\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!(" {length:x}\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("{length:x} 0\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("ffffffffffffffffff\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("{length:x}\r\n{body}0\r\n\r\n"), 400),
            (format!("{length:x}\r\n{body}\n0\r\n\r\n"), 400),
            (format!("{length:x}\n{body}\r\n0\r\n\r\n"), 400),
            (format!("{length:x}\r{body}\r\n0\r\n\r\n"), 400),
            (format!("{:x}\r\n{body}\r\n0\r\n\r\n", length - 1), 400),
            (format!("{:x}\r\n{body}\r\n0\r\n\r\n", length + 1), 400),
            (format!("{length:x};a\nb\r\n{body}\r\n0\r\n\r\n"), 400),
            (format!("{length:x}\r\n{body}\r\n0\r\nX y\r\n\r\n"), 400),
            (
                format!("{length:x}\r\n{body}\r\n0\r\nX: {}\r\n\r\n", "y".repeat(20_000)),
                400,
            ),
        ]
        .map(|(chunks, status)| (chunked(&chunks), status)),
    );
    assert!(server.stored().is_empty());
    check(
        &server,
        [
            (format!("{length:x}\r\n{body}\r\n0\r\n\r\n"), 201),
            (format!("{length:X}\r\n{body}\r\n00000\r\n\r\n"), 201),
            (format!("{length:x};name=value\r\n{body}\r\n0\r\n\r\n"), 201),
            // Trailers do not change the headers.
            (
                format!("{length:x}\r\n{body}\r\n0\r\nContent-Length: 5\r\nHost: y\r\n\r\n"),
                201,
            ),
        ]
        .map(|(chunks, status)| (chunked(&chunks), status)),
    );
    assert_eq!(server.stored().len(), 4);
}
