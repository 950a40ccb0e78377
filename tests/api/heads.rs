//! Request heads: oversized ones are refused, and the large ones of real clients are accepted.

use crate::harness::{Request, Server};

/// The size of the largest accepted head, in bytes.
const MAX_BYTES: usize = 16 * 1024;

/// The largest accepted number of header fields.
const MAX_FIELDS: usize = 64;

/// Sends a request and returns the status of the response.
fn status(server: &Server, request: &Request) -> u16 {
    let mut connection = server.connect();
    // The server may close the connection before it has read everything.
    let _ = connection.send_raw(request.bytes("x"));
    connection.receive("GET").status
}

/// Builds a request whose head has this many bytes.
fn request_of_size(bytes: usize) -> Request {
    let empty = Request::get("/faq").header("Cookie", "").bytes("x").len();
    Request::get("/faq").header("Cookie", &"x".repeat(bytes - empty))
}

#[test]
fn the_size_of_a_head_is_limited() {
    let server = Server::start();
    assert_eq!(status(&server, &request_of_size(MAX_BYTES - 1)), 200);
    for bytes in [MAX_BYTES + 1, 2 * MAX_BYTES, 4 * MAX_BYTES] {
        assert_eq!(status(&server, &request_of_size(bytes)), 431, "{bytes}");
    }
}

#[test]
fn the_number_of_header_fields_is_limited() {
    let server = Server::start();
    // `Host` counts as a field.
    let with = |fields: usize| {
        (1..fields).fold(Request::get("/faq"), |request, number| {
            request.header(&format!("X-{number}"), "x")
        })
    };
    assert_eq!(status(&server, &with(MAX_FIELDS)), 200);
    for fields in [MAX_FIELDS + 1, 1000] {
        assert_eq!(status(&server, &with(fields)), 431, "{fields}");
    }
}

#[test]
fn long_campaign_links_are_accepted() {
    let server = Server::start();
    let link = format!("/fragebogen?utm_content={}", "a".repeat(4000));
    assert_eq!(server.get(&link).status, 200);
}
