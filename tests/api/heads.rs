//! Heads that are too large get an error, and those of real clients are accepted.

use crate::harness::{Request, Server};

/// Largest head, in bytes.
const MOST_BYTES: usize = 16 * 1024;

/// Highest number of header fields.
const MOST_FIELDS: usize = 64;

/// Sends a request and returns the status of the response.
fn status(server: &Server, request: &Request) -> u16 {
    let mut connection = server.connect();
    // The server may close the connection before it has read everything.
    let _ = connection.send_raw(request.bytes("x"));
    connection.receive("GET").status
}

/// Returns a request whose head has this many bytes.
fn of_size(bytes: usize) -> Request {
    let empty = Request::get("/faq").header("Cookie", "").bytes("x").len();
    Request::get("/faq").header("Cookie", &"x".repeat(bytes - empty))
}

#[test]
fn the_size_is_limited() {
    let server = Server::start();
    assert_eq!(status(&server, &of_size(MOST_BYTES - 1)), 200);
    for bytes in [MOST_BYTES + 1, 2 * MOST_BYTES, 4 * MOST_BYTES] {
        assert_eq!(status(&server, &of_size(bytes)), 431, "{bytes}");
    }
}

#[test]
fn the_number_of_fields_is_limited() {
    let server = Server::start();
    // One is `Host`.
    let with = |fields: usize| {
        (1..fields).fold(Request::get("/faq"), |request, number| {
            request.header(&format!("X-{number}"), "x")
        })
    };
    assert_eq!(status(&server, &with(MOST_FIELDS)), 200);
    for fields in [MOST_FIELDS + 1, 1000] {
        assert_eq!(status(&server, &with(fields)), 431, "{fields}");
    }
}

#[test]
fn campaign_links_are_borne() {
    let server = Server::start();
    let link = format!("/fragebogen?utm_content={}", "a".repeat(4000));
    assert_eq!(server.get(&link).status, 200);
}
