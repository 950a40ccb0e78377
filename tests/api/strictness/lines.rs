//! Request lines, header lines and hosts (RFC 9112, sections 2.2, 3 and 5).

use super::{CLOSED, check};
use crate::harness::Server;

/// Returns a GET with these additional header lines.
fn with(lines: &str) -> String {
    format!("GET /faq HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n\r\n")
}

#[test]
fn malformed_request_lines_are_refused() {
    check(
        &Server::start(),
        [
            ("GET\r\n\r\n", 400),
            ("GET /faq\r\n\r\n", 400),
            (" GET /faq HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET  /faq HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /faq  HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET\t/faq\tHTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /faq HTTP/1.1 \r\nHost: x\r\n\r\n", 400),
            ("GET /faq HTTP/1.2\r\nHost: x\r\n\r\n", 400),
            ("GET /faq HTTP/2.0\r\nHost: x\r\n\r\n", 400),
            ("GET /faq HTTP/9.9\r\nHost: x\r\n\r\n", 400),
            ("GET /faq HTTP/1\r\nHost: x\r\n\r\n", 400),
            ("GET /faq HTTQ/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /faq http/1.1\r\nHost: x\r\n\r\n", 400),
            ("G\u{0}T /faq HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /f\u{0}q HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GÄT /faq HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n", 400),
            // The preface of HTTP/2, which is not supported.
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", CLOSED),
            // Methods are case-sensitive.
            ("get /faq HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 405),
            // Empty lines before a request are ignored (RFC 9112, 2.2).
            (
                "\r\n\r\nGET /faq HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                200,
            ),
            // A line feed alone may end a line (RFC 9112, 2.2), but a carriage return alone may not.
            ("GET /faq HTTP/1.1\nHost: x\nConnection: close\n\n", 200),
            ("GET /faq HTTP/1.1\rHost: x\r\r", 400),
            ("GET /faq HTTP/1.1\r\r\nHost: x\r\n\r\n", 400),
        ],
    );
}

#[test]
fn malformed_header_lines_are_refused() {
    let server = Server::start();
    check(
        &server,
        [
            ("Ho st: x", 400),
            ("X", 400),
            (": x", 400),
            ("X : x", 400),
            (" X: x", 400),
            ("X: x\r\n folded", 400),
            ("X: x\r\n\tfolded", 400),
            ("X: a\rb", 400),
            ("X: a\u{0}b", 400),
            ("X: a\u{1}b", 400),
            ("X: a\u{7f}b", 400),
            ("X\u{0}: x", 400),
            ("(X): x", 400),
            ("Ä: x", 400),
            // Values may contain bytes beyond ASCII (RFC 9110, 5.5).
            ("X: ä", 200),
            ("X:", 200),
            ("X:x", 200),
            ("X: \t x \t ", 200),
            ("X: a\nY: b", 200),
            ("Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__", 200),
            ("Expect: nonsense", 200),
        ]
        .map(|(line, status)| (with(line), status)),
    );
    let mut invalid = with("X: @").into_bytes();
    invalid
        .iter_mut()
        .filter(|byte| **byte == b'@')
        .for_each(|byte| *byte = 0xff);
    check(&server, [(invalid, 200)]);
}

#[test]
fn missing_and_ambiguous_hosts_are_refused() {
    let request =
        |version: &str, lines: &str| format!("GET /faq HTTP/{version}\r\n{lines}Connection: close\r\n\r\n");
    check(
        &Server::start(),
        [
            ("1.1", "", 400),
            ("1.1", "Host: a\r\nHost: b\r\n", 400),
            ("1.1", "Host: a\r\nHost: a\r\n", 400),
            ("1.1", "Host:\r\n", 400),
            ("1.1", "Host: a b\r\n", 400),
            ("1.1", "Host: a, b\r\n", 400),
            ("1.1", "Host: a/b\r\n", 400),
            ("1.1", "Host: http://a\r\n", 400),
            ("1.1", "Host: user@a\r\n", 400),
            ("1.1", "Host: a:b\r\n", 400),
            ("1.1", "Host: a:99999\r\n", 400),
            ("1.1", "Host: [::1\r\n", 400),
            ("1.1", "Host: ä\r\n", 400),
            ("1.1", "Host: www.example.de:8080\r\n", 200),
            ("1.1", "Host: [::1]:8080\r\n", 200),
            ("1.0", "", 200),
            ("1.0", "Host: a\r\n", 200),
            ("1.0", "Host: a\r\nHost: b\r\n", 400),
            ("1.0", "Host: a b\r\n", 400),
        ]
        .map(|(version, lines, status)| (request(version, lines), status)),
    );
}
