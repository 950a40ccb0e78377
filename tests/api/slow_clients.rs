//! The server disconnects clients that send too slowly, and other clients do not notice.

use std::thread;
use std::time::{Duration, Instant};

use crate::harness::inquiry::post;
use crate::harness::{Connection, Request, Server, record};
use crate::refusing::message;

/// The longest time that a slow client may hold a connection.
const LIMIT: Duration = Duration::from_secs(30);

/// Pause between two bytes of a trickling client. It is part of the attack, not a wait for an event.
const TRICKLE: Duration = Duration::from_millis(500);

/// Asserts that the server closes the connection in time.
fn assert_closes(connection: &mut Connection, what: &str) {
    let start = Instant::now();
    connection.rest();
    assert!(start.elapsed() < LIMIT, "{what}: {:?}", start.elapsed());
}

fn head_that_never_ends(server: &Server) {
    let mut connection = server.connect();
    connection.send_raw("GET /faq HTTP/1.1\r\nHost: x\r\n").unwrap();
    assert_closes(&mut connection, "a head that never ends");
}

fn head_that_trickles(server: &Server) {
    let mut connection = server.connect();
    connection
        .send_raw("GET /faq HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        .unwrap();
    let start = Instant::now();
    // A new byte must not restart the timeout.
    while connection.send_raw("x").is_ok() {
        assert!(start.elapsed() < LIMIT, "a head may trickle forever");
        thread::sleep(TRICKLE);
    }
}

fn silence(server: &Server) {
    assert_closes(&mut server.connect(), "a connection without a request");
}

fn silence_after_a_request(server: &Server) {
    let mut connection = server.connect();
    assert_eq!(connection.send(&Request::get("/healthz")).status, 200);
    assert_closes(&mut connection, "an idle connection");
}

fn body_that_never_comes(server: &Server) {
    let bytes = post(&record("Krause")).bytes("x");
    let mut connection = server.connect();
    connection.send_raw(&bytes[..bytes.len() - 10]).unwrap();
    let start = Instant::now();
    if let Ok(response) = connection.try_receive("POST") {
        message(&response, 408);
        assert_eq!(response.expect("connection"), "close");
    }
    assert!(
        start.elapsed() < LIMIT,
        "a body that never comes: {:?}",
        start.elapsed()
    );
    assert_closes(&mut connection, "after a body that never came");
}

fn body_that_trickles(server: &Server) {
    let bytes = post(&record("Krause")).bytes("x");
    let head = bytes.len() - 200;
    let mut connection = server.connect();
    connection.send_raw(&bytes[..head]).unwrap();
    let start = Instant::now();
    for byte in &bytes[head..] {
        if connection.send_raw([*byte]).is_err() {
            break;
        }
        assert!(start.elapsed() < LIMIT, "a body may trickle forever");
        thread::sleep(TRICKLE);
    }
}

/// A client must not be able to hold a connection by trickling a body that was refused as too large.
fn refused_body_that_trickles(server: &Server) {
    let mut connection = server.connect();
    let request = post(&record("Krause")).header("Content-Length", "99999999");
    connection.send_raw(request.bytes("x")).unwrap();
    message(&connection.receive("POST"), 413);
    let start = Instant::now();
    while connection.send_raw("x").is_ok() {
        assert!(start.elapsed() < LIMIT, "a refused body may trickle forever");
        thread::sleep(TRICKLE);
    }
}

/// A refused body must not be read endlessly either if the client sends it as fast as it can.
fn refused_body_that_never_ends(server: &Server) {
    /// The most that the server discards, plus the buffers of both sides.
    const BOUND: usize = 64 << 20;
    let mut connection = server.connect();
    let request = post(&record("Krause")).header("Content-Length", "99999999999");
    connection.send_raw(request.bytes("x")).unwrap();
    let chunk = vec![b' '; 1 << 20];
    let mut sent = 0;
    while connection.send_raw(&chunk).is_ok() {
        sent += chunk.len();
        assert!(sent < BOUND, "{sent} bytes of a refused body were taken");
    }
}

#[test]
fn slow_clients_are_disconnected() {
    let server = &Server::with(&["--threads", "2"]);
    // Concurrently, since each client takes as long as the server's timeout.
    thread::scope(|scope| {
        for client in [
            head_that_never_ends,
            head_that_trickles,
            silence,
            silence_after_a_request,
            body_that_never_comes,
            body_that_trickles,
            refused_body_that_trickles,
            refused_body_that_never_ends,
        ] {
            scope.spawn(move || client(server));
        }
        assert_eq!(
            server.get("/faq").status,
            200,
            "others are served at the same time"
        );
    });
    assert!(server.stored().is_empty());
}
