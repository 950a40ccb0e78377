//! Many connections at once: of one client, of all clients, slow ones, and their cost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::harness::inquiry::INQUIRIES;
use crate::harness::{Connection, Request, Server, Setup, until};

/// Connections that one client may have.
const PER_CLIENT: usize = 256;

/// Connections that all clients may have together.
const TOGETHER: usize = 2048;

/// Memory of the server with every connection at its most expensive, in KiB: each may hold a head of 16 KiB in a buffer
/// of 32, as much read ahead, a body of 16 and 8 for the rest, together 176 MiB; 16 MiB are the program itself.
const MEMORY_BOUND: u64 = (32 + 32 + 16 + 8) * TOGETHER as u64 + 16 * 1024;

/// How long a server must stay silent to count as not answering.
const SILENCE: Duration = Duration::from_millis(300);

fn is_served(connection: &mut Connection) -> bool {
    connection.send_raw(Request::get("/healthz").bytes("x")).is_ok()
        && connection
            .try_receive("GET")
            .is_ok_and(|response| response.status == 200)
}

/// Both processes need a file descriptor for each connection; the server raises its own limit.
fn allow_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    let wished = Rlimit {
        current: limit.maximum,
        ..limit
    };
    setrlimit(Resource::Nofile, wished).unwrap();
}

#[test]
fn one_client_cannot_take_all_connections() {
    allow_descriptors();
    let server = Server::start();
    let mut crowd: Vec<Connection> = (0..PER_CLIENT).map(|_| server.connect_as(1)).collect();
    let last = crowd.last_mut().unwrap();
    assert!(is_served(last), "as many as allowed");
    assert!(!is_served(&mut server.connect_as(1)), "one more");
    assert!(is_served(&mut server.connect_as(2)), "another client");
    assert!(is_served(last), "those that are there are kept");
    assert!(
        server.logged("--trusted-proxy").contains("256"),
        "{}",
        server.stderr()
    );
    assert!(!server.stderr().contains("127.0.1"), "no address is logged");
    // A slot is free again when its connection has ended.
    crowd.truncate(PER_CLIENT - 1);
    until("a place", || is_served(&mut server.connect_as(1)).then_some(()));
}

#[test]
fn a_trusted_proxy_brings_as_many_as_it_likes() {
    allow_descriptors();
    let server = Server::with(&["--trusted-proxy", "127.0.1.1/32"]);
    let mut crowd: Vec<Connection> = (0..2 * PER_CLIENT).map(|_| server.connect_as(1)).collect();
    assert!(crowd.iter_mut().rev().take(10).all(is_served));
}

#[test]
fn a_crowd_waits_its_turn() {
    allow_descriptors();
    let server = Server::start();
    let mut crowd = crowd(&server, TOGETHER);
    assert!(is_served(crowd.last_mut().unwrap()));
    let mut waiting = server.connect_as(200);
    waiting.send_raw(Request::get("/healthz").bytes("x")).unwrap();
    assert!(waiting.is_silent_for(SILENCE), "more than all");
    crowd.pop();
    assert_eq!(waiting.receive("GET").status, 200);
}

/// Opens connections from as many clients as that takes.
fn crowd(server: &Server, size: usize) -> Vec<Connection> {
    let client = |number: usize| u8::try_from(1 + number / PER_CLIENT).unwrap();
    (0..size)
        .map(|number| server.connect_as(client(number)))
        .collect()
}

#[test]
fn few_descriptors_mean_few_connections_and_no_error() {
    let server = Setup::new().shell("ulimit -n 100").start();
    assert!(
        server.logged("open files").contains(" 36 "),
        "{}",
        server.stderr()
    );
    let mut crowd: Vec<Connection> = (0..36).map(|_| server.connect()).collect();
    assert!(crowd.iter_mut().all(is_served));
    let mut waiting = server.connect();
    waiting.send_raw(Request::get("/healthz").bytes("x")).unwrap();
    assert!(waiting.is_silent_for(SILENCE));
    server.export(&[]).success();
    crowd.clear();
    assert_eq!(waiting.receive("GET").status, 200);
    assert!(
        !server.stderr().contains("could not be accepted"),
        "{}",
        server.stderr()
    );
}

/// Returns the median time that a visitor waits for a page.
fn page_time(server: &Server) -> Duration {
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            assert_eq!(server.get("/").status, 200);
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

#[test]
fn slow_clients_do_not_delay_a_visitor() {
    let server = Server::start();
    page_time(&server);
    let calm = page_time(&server);
    // Four clients with fifty connections each, in turn: a head, a body, a silent one, one that does not read.
    let body = format!(
        "POST {INQUIRIES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n["
    );
    let greedy = Request::get("/").bytes("x").repeat(100);
    let mut slow: Vec<(Connection, bool)> = (0..200)
        .map(|number| {
            let mut connection = server.connect_as(1 + number % 4);
            let (start, trickles): (&[u8], bool) = match number / 4 % 4 {
                0 => (b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", true),
                1 => (body.as_bytes(), true),
                2 => (b"", false),
                _ => (&greedy, false),
            };
            connection.send_raw(start).unwrap();
            (connection, trickles)
        })
        .collect();
    let is_over = AtomicBool::new(false);
    let attacked = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for (connection, _) in slow.iter_mut().filter(|(_, trickles)| *trickles) {
                    // On a slow machine it may have been cut off by now.
                    let _ = connection.send_raw(" ");
                }
                thread::sleep(Duration::from_millis(10));
            }
        });
        let attacked = page_time(&server);
        is_over.store(true, Ordering::Relaxed);
        attacked
    });
    // Generous: a busy machine is a little slower by chance, a server that serves clients one by one takes seconds.
    let bearable = 10 * calm + Duration::from_millis(100);
    assert!(attacked < bearable, "{attacked:?} instead of {calm:?}");
}

/// Opens connections that each hold a head, or a body, that lacks one byte.
#[test]
fn memory_is_bounded() {
    const HEAD: usize = 16_000;
    const BODY: usize = 16 * 1024;
    allow_descriptors();
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
    // Some slots are left for a visitor.
    let mut crowd = crowd(&server, TOGETHER - 8);
    // In parts that the server must put together.
    for part in bytes.chunks(HEAD / 2) {
        for connection in &mut crowd {
            // On a slow machine it may have been cut off by now.
            let _ = connection.send_raw(part);
        }
    }
    assert_eq!(server.get("/").status, 200, "a visitor meanwhile");
    let attacked = server.memory("VmHWM:");
    assert!(attacked < MEMORY_BOUND, "{attacked} KiB, {calm} before");
    let least = calm + u64::try_from(crowd.len() * (HEAD + BODY) / 2048).unwrap();
    assert!(
        attacked > least,
        "{attacked} KiB, {calm} before: the attack did not happen"
    );
    println!("{attacked} KiB of {MEMORY_BOUND}, {calm} before");
}
