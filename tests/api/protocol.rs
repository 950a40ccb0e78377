//! HTTP/1 as clients speak it, on raw sockets.

use std::time::{Duration, Instant};

use crate::harness::inquiry::post;
use crate::harness::{Connection, Request, Server, record};

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
fn http_1_0_clients_are_served() {
    let server = Server::start();
    let mut connection = server.connect();
    connection.send_raw("GET /faq HTTP/1.0\r\n\r\n").unwrap();
    let response = connection.receive("GET");
    assert_eq!(response.status, 200);
    assert_eq!(response.header("transfer-encoding"), None);
    assert_eq!(response.expect("content-length"), response.body.len().to_string());
    assert!(
        connection.rest().is_empty(),
        "the connection is closed after the answer"
    );
}

#[test]
fn a_client_that_wants_to_close_is_obeyed() {
    let server = Server::start();
    let mut connection = server.connect();
    let response = connection.send(&Request::get("/healthz").header("Connection", "close"));
    assert_eq!(response.expect("connection"), "close");
    assert!(connection.rest().is_empty());
}

#[test]
fn a_target_in_absolute_form_is_understood() {
    let server = Server::start();
    let target = format!("http://{}/faq?a=b", server.address);
    assert_eq!(server.get(&target).status, 200);
    let mut request = post(&record("Krause"));
    request.target = format!("http://{}{}", server.address, request.target);
    assert_eq!(server.send(&request).status, 201);
}

#[test]
fn options_for_the_whole_server_is_answered() {
    let server = Server::start();
    let mut connection = server.connect();
    let response = connection.send(&Request::new("OPTIONS", "*"));
    assert!(matches!(response.status, 200 | 204 | 405), "{}", response.status);
    assert_eq!(
        connection.send(&Request::get("/healthz")).status,
        200,
        "the connection is still of use"
    );
}

#[test]
fn a_client_that_asks_first_is_told_to_go_on() {
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
fn a_request_may_come_byte_by_byte() {
    let server = Server::start();
    let mut connection = server.connect();
    for byte in post(&record("Krause")).bytes("localhost") {
        connection.send_raw([byte]).unwrap();
    }
    assert_eq!(connection.receive("POST").status, 201);
}

#[test]
fn idle_connections_do_not_slow_a_page() {
    let server = Server::start();
    let mut idle: Vec<Connection> = (0..200).map(|_| server.connect()).collect();
    for connection in idle.iter_mut().take(100) {
        assert_eq!(connection.send(&Request::get("/healthz")).status, 200);
    }
    for connection in idle.iter_mut().skip(150) {
        connection.send_raw("GET / HTTP/1.1\r\nHost: x\r\nX-").unwrap();
    }
    let start = Instant::now();
    assert_eq!(server.get("/faq").status, 200);
    assert_eq!(server.post(&record("Krause")).status, 201);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    for connection in idle.iter_mut().take(150) {
        assert_eq!(
            connection.send(&Request::get("/healthz")).status,
            200,
            "an idle connection was dropped"
        );
    }
}

#[test]
fn a_client_that_leaves_early_harms_nobody() {
    let server = Server::start();
    for _ in 0..50 {
        let mut connection = server.connect();
        connection.send_raw(Request::get("/").bytes("localhost")).unwrap();
    }
    assert_eq!(server.get("/").status, 200);
}
