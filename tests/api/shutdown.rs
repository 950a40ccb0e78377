//! SIGTERM and SIGINT: requests under way are answered, then the process ends with 0 (design, section 4).

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::server::{PROMPT, stored};
use crate::harness::{Connection, Request, Server, record, until};

/// Opens a connection whose POST the server is waiting for: it has the head and half of the body.
pub fn half_sent(server: &Server, record: &Value) -> (Connection, Vec<u8>) {
    let request = post(record).header("Expect", "100-continue");
    let bytes = request.bytes(&server.address.to_string());
    let head = bytes.len() - request.body.len();
    let mut connection = server.connect();
    connection.send_raw(&bytes[..head]).unwrap();
    // The server asks for the body, so the request is under way; there is no need to guess a time.
    let go_on = connection.receive("POST");
    assert_eq!(go_on.status, 100);
    let half = head + request.body.len() / 2;
    connection.send_raw(&bytes[head..half]).unwrap();
    (connection, bytes[half..].to_vec())
}

#[test]
fn a_request_under_way_is_answered_and_stored() {
    for signal in ["TERM", "INT"] {
        let mut server = Server::start();
        let (mut connection, rest) = half_sent(&server, &record("Krause"));
        server.signal(signal);
        until("the listener to close", || {
            TcpStream::connect(server.address).err()
        });
        connection.send_raw(rest).unwrap();
        let response = connection.receive("POST");
        assert_eq!(response.status, 201, "SIG{signal}: {}", response.text());
        let ended = server.ended();
        assert_eq!(ended.code, Some(0), "SIG{signal}: {}", ended.stderr);
        assert_eq!(stored(server.dir()).len(), 1, "SIG{signal}");
    }
}

#[test]
fn idle_connections_do_not_hold_it_up() {
    let server = Server::start();
    let mut kept: Vec<Connection> = (0..20).map(|_| server.connect()).collect();
    for connection in &mut kept {
        assert_eq!(connection.send(&Request::get("/healthz")).status, 200);
    }
    let silent: Vec<Connection> = (0..5).map(|_| server.connect()).collect();
    let start = Instant::now();
    assert_eq!(server.terminate().code, Some(0));
    assert!(start.elapsed() < PROMPT, "{:?}", start.elapsed());
    drop(silent);
}

#[test]
fn a_client_that_never_finishes_does_not_hold_it_for_ever() {
    let server = Server::start();
    let (_connection, _rest) = half_sent(&server, &record("Krause"));
    let start = Instant::now();
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // Container runtimes kill ten seconds after the signal.
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn a_second_signal_is_no_crash() {
    let mut server = Server::start();
    let (mut connection, rest) = half_sent(&server, &record("Krause"));
    server.signal("TERM");
    until("the listener to close", || {
        TcpStream::connect(server.address).err()
    });
    server.signal("TERM");
    connection.send_raw(rest).unwrap();
    assert_eq!(connection.receive("POST").status, 201);
    assert_eq!(server.ended().code, Some(0));
    assert_eq!(stored(server.dir()).len(), 1);
}

#[test]
fn a_reloading_terminal_does_not_lose_what_was_stored() {
    // A closed terminal sends SIGHUP. The process may end, but no inquiry may be lost.
    let mut server = Server::start();
    server.store(&record("Krause"));
    server.signal("HUP");
    server.signal("TERM");
    server.ended();
    assert_eq!(stored(server.dir()).len(), 1);
}

#[test]
fn a_request_and_an_export_that_never_finish_do_not_hold_it_one_after_the_other() {
    let server = Server::start();
    let mut connection = server.connect();
    // More than the system buffers for an export that does not read.
    for _ in 0..2000 {
        assert_eq!(connection.send(&post(&record("Krause"))).status, 201);
    }
    let mut export = UnixStream::connect(server.dir().data().join("control.sock")).unwrap();
    export
        .write_all(b"GET /inquiries HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    export.read_exact(&mut [0; 100]).unwrap();
    let (_connection, _rest) = half_sent(&server, &record("Krause"));
    let start = Instant::now();
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
