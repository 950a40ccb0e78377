//! SIGTERM and SIGINT: requests in flight are completed, then the process exits with code 0.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::server::{PROMPT, stored};
use crate::harness::{Connection, Request, Server, leave_out_on_postgres, record, until};

/// Container runtimes kill the process ten seconds after the signal, so it exits after nine. The rest allows for a busy machine,
/// which may delay the signal and the test.
const LIMIT: Duration = Duration::from_secs(15);

/// Sends the head and half the body of a POST. Returns the connection and the other half.
pub fn half_sent(server: &Server, record: &Value) -> (Connection, Vec<u8>) {
    let request = post(record).header("Expect", "100-continue");
    let bytes = request.bytes(&server.address.to_string());
    let head = bytes.len() - request.body.len();
    let mut connection = server.connect();
    connection.send_raw(&bytes[..head]).unwrap();
    // The server asks for the body, so the request is in flight.
    let interim = connection.receive("POST");
    assert_eq!(interim.status, 100);
    let half = head + request.body.len() / 2;
    connection.send_raw(&bytes[head..half]).unwrap();
    (connection, bytes[half..].to_vec())
}

#[test]
fn requests_in_flight_are_completed() {
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
fn idle_connections_do_not_delay_shutdown() {
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
fn stalled_clients_do_not_block_shutdown() {
    let server = Server::start();
    let (_connection, _rest) = half_sent(&server, &record("Krause"));
    let start = Instant::now();
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn a_second_signal_does_not_interrupt_shutdown() {
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
fn delays_of_stalled_requests_and_exports_do_not_add_up() {
    leave_out_on_postgres!("the control socket of a data directory");
    let server = Server::start();
    let mut connection = server.connect();
    // More than the system buffers for an unread export.
    for _ in 0..2000 {
        assert_eq!(connection.send(&post(&record("Krause"))).status, 201);
    }
    let mut export = UnixStream::connect(server.dir().data().join("control.sock")).unwrap();
    export.write_all(b"Records {}\n").unwrap();
    export.read_exact(&mut [0; 100]).unwrap();
    let (_connection, _rest) = half_sent(&server, &record("Krause"));
    let start = Instant::now();
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}
