//! Request targets: their four forms (RFC 9112, section 3.2), hosts, and paths in every encoding.

use super::check;
use crate::harness::Server;

/// A GET of this target.
fn get(target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
}

#[test]
fn malformed_targets_are_refused() {
    let server = Server::start();
    let request = |method: &str, target: &str| {
        format!("{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    };
    check(
        &server,
        [
            ("GET", "http://www.example.de/faq", 200),
            ("GET", "https://www.example.de:443/faq?a=b", 200),
            ("GET", "HTTP://www.example.de/faq", 200),
            ("HEAD", "http://www.example.de", 200),
            ("GET", "http://user@www.example.de/faq", 400),
            ("GET", "http://a,b/faq", 400),
            ("GET", "http://[::1/faq", 400),
            ("GET", "http:///faq", 400),
            ("GET", "http:/faq", 400),
            ("GET", "ftp://www.example.de/faq", 400),
            ("GET", "file:///etc/passwd", 400),
            ("GET", "javascript://x/faq", 400),
            ("GET", "*", 400),
            ("POST", "*", 400),
            ("GET", "*/faq", 400),
            ("GET", "/*", 404),
            ("GET", "faq", 400),
            ("GET", "faq/x", 400),
            ("GET", "www.example.de:80", 400),
            ("GET", "?a=b", 400),
            ("GET", "#faq", 400),
            ("GET", "\\faq", 400),
            // OPTIONS and CONNECT are not supported.
            ("OPTIONS", "*", 405),
            ("OPTIONS", "/faq", 405),
            ("CONNECT", "www.example.de:443", 405),
            ("CONNECT", "user@www.example.de:443", 400),
            ("CONNECT", "/faq", 405),
        ]
        .map(|(method, target, status)| (request(method, target), status)),
    );
}

/// Covers paths to files outside the site, and paths that two parsers could truncate or decode differently.
#[test]
fn paths_cannot_escape_the_site() {
    let server = Server::start();
    server.dir().write("secret.txt", "geheim");
    check(
        &server,
        [
            ("/../secret.txt", 404),
            ("/./secret.txt", 404),
            ("/faq/../faq", 404),
            ("/../../../../etc/passwd", 404),
            ("/%2e%2e/%2e%2e/etc/passwd", 404),
            ("/.%2e/secret.txt", 404),
            ("/%252e%252e/secret.txt", 404),
            ("/assets/../../etc/passwd", 404),
            ("/assets/..%2f..%2fetc%2fpasswd", 404),
            ("/assets/%2e%2e%2f%2e%2e%2fCargo.toml", 404),
            ("/assets/..%5c..%5csecret.txt", 404),
            ("/assets/..\\..\\secret.txt", 404),
            ("/assets/....//secret.txt", 404),
            ("/assets/%c0%ae%c0%ae/secret.txt", 404),
            ("/assets/%u002e%u002e/secret.txt", 404),
            ("/assets/..;/secret.txt", 404),
            ("//etc/passwd", 404),
            ("/data/inquiries.redb", 404),
            ("/manifest.json", 404),
            ("/pages/faq.html", 404),
            ("/templates/site.webmanifest", 404),
            ("/%00", 404),
            ("/faq%00", 404),
            ("/faq%00.html", 404),
            ("/faq%20", 404),
            ("/faq%0a", 404),
            ("/faq%3f", 404),
            ("/faq%23", 404),
            ("/faq;a=b", 404),
            ("/%ff", 404),
            ("/%", 404),
            ("/%f", 404),
            ("/%zz", 404),
            // Encoded slashes and letters mean the same as literal ones.
            ("/blog%2ffeed", 200),
            ("/%66aq", 200),
            ("/faq#%00", 200),
            ("/faq?%00", 200),
            ("/faq?../../etc/passwd", 200),
            // Unencoded UTF-8, as terminals send it, is accepted.
            ("/blog/kategorie/schädlingsbekämpfung", 200),
        ]
        .map(|(path, status)| (get(path), status)),
    );
    check(
        &server,
        [
            &b"/\xff"[..],
            b"/\xc3",
            b"/\xc0\xaf",
            b"/\xed\xa0\x80",
            b"/\x7f",
            b"/a\rb",
        ]
        .map(|path| ([b"GET ", path, b" HTTP/1.1\r\nHost: x\r\n\r\n"].concat(), 400)),
    );
    let long = |length: usize| get(&format!("/{}", "a".repeat(length - 1)));
    check(
        &server,
        [
            (long(8000), 404),
            (long(8001), 414),
            (long(16_000), 414),
            (long(20_000), 431),
        ],
    );
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
