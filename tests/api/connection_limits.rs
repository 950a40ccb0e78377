//! Many connections at once: the limits per client and in total, and the memory that connections use.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::harness::inquiry::INQUIRIES;
use crate::harness::{Connection, Request, Server, Setup, until_true};

/// The limit of connections per client.
const PER_CLIENT: usize = 256;

/// The limit of all connections.
const TOTAL: usize = 2048;

/// The most memory that all connections may use, in KiB. Each may hold a head of 16 KiB in a buffer of 32 KiB, a read-ahead buffer
/// of the same size, a body of 16 KiB and 8 KiB for the rest: 176 MiB in total.
const OF_CONNECTIONS: u64 = (32 + 32 + 16 + 8) * TOTAL as u64;

/// Far more than a busy machine needs for a response.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the server must stay silent to show that it does not respond.
const SILENCE: Duration = Duration::from_millis(300);

pub fn is_served(connection: &mut Connection) -> bool {
    connection.send_raw(Request::get("/healthz").bytes("x")).is_ok()
        && connection
            .try_receive("GET")
            .is_ok_and(|response| response.status == 200)
}

/// Raises the file-descriptor limit of this process, which needs a descriptor per connection. The server raises its own limit.
pub fn raise_descriptor_limit() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    setrlimit(Resource::Nofile, raised).unwrap();
}

/// The limits are per process, even with several threads.
const THREADS: [&str; 2] = ["--threads", "2"];

#[test]
fn one_client_cannot_take_all_connections() {
    raise_descriptor_limit();
    let server = Server::with(&THREADS);
    let mut connections: Vec<Connection> = (0..PER_CLIENT).map(|_| server.connect_as(1)).collect();
    // Send a request on each: a connection counts only once a thread has accepted it.
    assert!(
        connections.iter_mut().all(is_served),
        "the connections within the limit"
    );
    let last = connections.last_mut().unwrap();
    assert!(
        !is_served(&mut server.connect_as(1)),
        "a connection over the limit"
    );
    assert!(is_served(&mut server.connect_as(2)), "another client");
    assert!(is_served(last), "existing connections are kept");
    assert_has!(server.logged("--trusted-proxy"), "256");
    assert!(!server.stderr().contains("127.0.1"), "an address is logged");
    // A closed connection makes room for another.
    connections.truncate(PER_CLIENT - 1);
    until_true("a free connection", || is_served(&mut server.connect_as(1)));
}

#[test]
fn trusted_proxies_are_not_limited() {
    raise_descriptor_limit();
    let server = Server::with(&["--trusted-proxy", "127.0.1.1/32"]);
    let mut connections: Vec<Connection> = (0..2 * PER_CLIENT).map(|_| server.connect_as(1)).collect();
    assert!(connections.iter_mut().rev().take(10).all(is_served));
}

#[test]
fn connections_over_the_limit_wait() {
    raise_descriptor_limit();
    let server = Server::with(&THREADS);
    let mut connections = open_connections(&server, TOTAL);
    // Includes connections on the thread that did not accept the last one.
    assert!(connections.iter_mut().rev().take(32).all(is_served));
    keep_busy(&mut connections);
    let mut waiting = server.connect_as(200);
    waiting.send_raw(Request::get("/healthz").bytes("x")).unwrap();
    assert!(waiting.is_silent_for(SILENCE), "a connection over the limit");
    connections.pop();
    assert_eq!(waiting.receive("GET").status, 200);
}

/// Begins a request on each connection that is answered only after its body.
fn keep_busy(connections: &mut [Connection]) {
    let begun = format!(
        "POST {INQUIRIES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: \
         100-continue\r\n\r\n"
    );
    for connection in &mut *connections {
        connection.send_raw(&begun).unwrap();
    }
    for connection in connections {
        assert!(!connection.is_silent_for(PATIENCE), "a request under way");
    }
}

/// Opens `size` connections from as many clients as necessary.
fn open_connections(server: &Server, size: usize) -> Vec<Connection> {
    let client = |number: usize| u8::try_from(1 + number / PER_CLIENT).unwrap();
    (0..size)
        .map(|number| server.connect_as(client(number)))
        .collect()
}

#[test]
fn a_low_descriptor_limit_caps_connections_without_errors() {
    let server = Setup::new().args(&THREADS).shell("ulimit -n 100").start();
    assert_has!(server.logged("open files"), " 36 ");
    let mut connections: Vec<Connection> = (0..36).map(|_| server.connect()).collect();
    assert!(connections.iter_mut().all(is_served));
    keep_busy(&mut connections);
    let mut waiting = server.connect();
    waiting.send_raw(Request::get("/healthz").bytes("x")).unwrap();
    assert!(waiting.is_silent_for(SILENCE));
    server.export(&[]).success();
    connections.clear();
    assert_eq!(waiting.receive("GET").status, 200);
    assert!(
        !server.stderr().contains("could not be accepted"),
        "{}",
        server.stderr()
    );
}

/// Every connection sends a large head and all but one byte of its body.
#[test]
fn memory_is_bounded() {
    const HEAD: usize = 16_000;
    const BODY: usize = 16 * 1024;
    raise_descriptor_limit();
    let server = Server::start();
    assert_eq!(server.get("/").status, 200);
    let calm = server.memory("VmHWM:");
    let head = Request::new("POST", INQUIRIES)
        .header("Content-Type", "application/json")
        .header("Content-Length", &BODY.to_string());
    let fill = HEAD - head.clone().header("X-Fill", "").bytes("x").len();
    let mut bytes = head.header("X-Fill", &"x".repeat(fill)).bytes("x");
    assert_eq!(bytes.len(), HEAD);
    bytes.extend_from_slice(&[b' '; BODY - 1]);
    // Leaves some connections for visitors.
    let mut connections = open_connections(&server, TOTAL - 8);
    // In parts, to make the server buffer them.
    for part in bytes.chunks(HEAD / 2) {
        for connection in &mut connections {
            // On a slow machine, the server may have closed it already.
            let _ = connection.send_raw(part);
        }
    }
    assert_eq!(server.get("/").status, 200, "a page during the attack");
    let attacked = server.memory("VmHWM:");
    // The baseline of the program is higher in a debug build.
    let most = OF_CONNECTIONS + calm;
    assert!(attacked < most, "{attacked} KiB, {calm} before");
    let least = calm + u64::try_from(connections.len() * (HEAD + BODY) / 2048).unwrap();
    assert!(
        attacked > least,
        "{attacked} KiB, {calm} before: the attack did not happen"
    );
    println!("{attacked} KiB of {most}, {calm} before");
}
