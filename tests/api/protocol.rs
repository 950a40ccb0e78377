//! HTTP/1 over raw sockets.

use crate::harness::inquiry::post;
use crate::harness::{Request, Server, record};

#[test]
fn a_connection_serves_many_requests() {
    let server = Server::start();
    let mut connection = server.connect();
    for _ in 0..3 {
        assert_eq!(connection.send(&Request::get("/faq")).status, 200);
        assert_eq!(connection.send(&Request::new("HEAD", "/faq")).status, 200);
        assert_eq!(connection.send(&Request::get("/gibt-es-nicht")).status, 404);
        assert_eq!(connection.send(&Request::get("/faq/")).status, 301);
        assert_eq!(connection.send(&post(&record("Krause"))).status, 201);
        assert_eq!(connection.send(&post(&serde_json::json!({}))).status, 400);
        assert_eq!(connection.send(&Request::new("PUT", "/faq")).status, 405);
    }
    assert_eq!(server.stored().len(), 3);
}

#[test]
fn a_client_that_has_said_all_still_gets_the_answer() {
    let server = Server::start();
    let host = server.address.to_string();
    for (request, status) in [(Request::get("/faq"), 200), (post(&record("Krause")), 201)] {
        let mut connection = server.connect();
        connection.send_raw(request.bytes(&host)).unwrap();
        connection.end_sending();
        assert_eq!(connection.receive(&request.method).status, status);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = Server::start();
    let mut connection = server.connect();
    let host = server.address.to_string();
    let requests = [
        Request::get("/gibt-es-nicht"),
        post(&record("Eins")),
        Request::get("/healthz"),
        post(&record("Zwei")),
        Request::get("/faq/"),
    ];
    let bytes: Vec<u8> = requests.iter().flat_map(|request| request.bytes(&host)).collect();
    connection.send_raw(bytes).unwrap();
    let statuses = requests.map(|request| connection.receive(&request.method).status);
    assert_eq!(statuses, [404, 201, 200, 201, 301]);
    let names: Vec<_> = server
        .stored()
        .iter()
        .map(|row| row["last_name"].clone())
        .collect();
    assert_eq!(names, ["Eins", "Zwei"]);
}

#[test]
fn connection_close_is_honoured() {
    let server = Server::start();
    let mut connection = server.connect();
    let response = connection.send(&Request::get("/healthz").header("Connection", "close"));
    assert_eq!(response.expect("connection"), "close");
    assert!(connection.rest().is_empty());
}

#[test]
fn absolute_targets_override_the_host_header() {
    let server = Server::start();
    let from = |origin: &str, target: &str| {
        let mut request = post(&record("Krause"))
            .header("Origin", origin)
            .header("Host", "b.example");
        request.target = format!("http://{target}{}", request.target);
        server.send(&request).status
    };
    assert_eq!(from("http://a.example", "a.example"), 201);
    assert_eq!(from("http://b.example", "a.example"), 403);
}

#[test]
fn expect_100_continue_is_supported() {
    let server = Server::start();
    let request = post(&record("Krause")).header("Expect", "100-continue");
    let bytes = request.bytes("localhost");
    let head = bytes.len() - request.body.len();
    let mut connection = server.connect();
    connection.send_raw(&bytes[..head]).unwrap();
    assert_eq!(connection.receive("POST").status, 100);
    connection.send_raw(&bytes[head..]).unwrap();
    assert_eq!(connection.receive("POST").status, 201);
}

#[test]
fn requests_may_arrive_byte_by_byte() {
    let server = Server::start();
    let mut connection = server.connect();
    for byte in post(&record("Krause")).bytes("localhost") {
        connection.send_raw([byte]).unwrap();
    }
    assert_eq!(connection.receive("POST").status, 201);
}

#[test]
fn early_disconnects_do_not_affect_others() {
    let server = Server::start();
    for _ in 0..50 {
        let mut connection = server.connect();
        connection.send_raw(Request::get("/").bytes("localhost")).unwrap();
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn bytes_after_a_body_belong_to_the_next_request() {
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

#[test]
fn line_breaks_cannot_be_injected_into_headers() {
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
