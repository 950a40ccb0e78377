//! `--threads`: several threads serve visitors, and limits, counts and the end of the process hold for all of them.

use std::fs;
use std::net::TcpStream;
use std::thread;

use crate::harness::inquiry::post;
use crate::harness::server::stored;
use crate::harness::{Connection, Request, Server, Setup, record, run, until};
use crate::shutdown::half_sent;

/// Connections enough that each of two threads gets one: that all come to the same has a chance of 1 in 2^31.
const MANY: usize = 32;

/// Returns how many listeners there are on the server's port.
fn listeners(server: &Server) -> usize {
    /// `TCP_LISTEN`, as the kernel writes it.
    const LISTENS: &str = "0A";
    let port = format!(":{:04X}", server.address.port());
    let table = fs::read_to_string("/proc/net/tcp").unwrap();
    let lines = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines
        .filter(|fields| fields[1].ends_with(&port) && fields[3] == LISTENS)
        .count()
}

/// Returns how often each thread that serves has waited for something, by its name.
fn waits(server: &Server) -> Vec<(String, u64)> {
    let tasks = fs::read_dir(format!("/proc/{}/task", server.id())).unwrap();
    // A thread may end meanwhile.
    let statuses = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("status")).ok());
    let value = |status: &str, name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().to_owned()
    };
    let mut waits: Vec<_> = statuses
        .map(|status| {
            let count = value(&status, "voluntary_ctxt_switches:");
            (value(&status, "Name:"), count.parse().unwrap())
        })
        .filter(|(name, _)| name == "taubenabwehr" || name.starts_with("serve-"))
        .collect();
    waits.sort();
    waits
}

#[test]
fn every_thread_serves_on_the_same_port() {
    let server = Server::with(&["--threads", "3"]);
    assert_eq!(listeners(&server), 3);
    // The address is printed before they start, and a thread has the program's name until it has set its own.
    let before = until("three threads to serve", || {
        let waits = waits(&server);
        let names: Vec<_> = waits.iter().map(|(name, _)| name.as_str()).collect();
        (names == ["serve-1", "serve-2", "taubenabwehr"]).then_some(waits)
    });
    for _ in 0..4 * MANY {
        assert_eq!(server.get("/faq").status, 200);
    }
    for ((name, before), (_, after)) in before.iter().zip(waits(&server)) {
        assert!(after > *before, "{name} has not served anything");
    }
}

#[test]
fn by_default_every_core_has_a_thread() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(listeners(&Server::start()), cores.min(8));
    // What the process may use counts, not what the machine has.
    let server = Setup::new().shell("exec taskset -c 0 \"$0\" \"$@\"").start();
    assert_eq!(listeners(&server), 1);
}

#[test]
fn one_thread_has_one_listener() {
    let server = Server::with(&["--threads", "1"]);
    assert_eq!(listeners(&server), 1);
    assert_eq!(server.get("/faq").status, 200);
    until("one thread to serve", || {
        (waits(&server).len() == 1).then_some(())
    });
}

#[test]
fn requests_in_flight_are_completed_on_every_thread() {
    let mut server = Server::with(&["--threads", "2"]);
    let mut halves: Vec<(Connection, Vec<u8>)> =
        (0..MANY).map(|_| half_sent(&server, &record("Krause"))).collect();
    server.signal("TERM");
    until("the listeners to close", || {
        TcpStream::connect(server.address).err()
    });
    for (connection, rest) in &mut halves {
        connection.send_raw(rest).unwrap();
        assert_eq!(connection.receive("POST").status, 201);
    }
    let ended = server.ended();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(!ended.stderr.contains("did not finish"), "{}", ended.stderr);
    assert_eq!(stored(server.dir()).len(), MANY);
}

#[test]
fn the_rate_limit_spans_threads() {
    let server = Setup::bare()
        .args(&["--rate-limit", "5", "--threads", "2"])
        .start();
    let sent = (0..MANY).map(|_| server.connect().send(&post(&record("Krause"))).status);
    let accepted = sent.filter(|&status| status == 201).count();
    // The allowance gains one in twelve seconds, which a slow machine may take.
    assert!((5..=6).contains(&accepted), "{accepted}");
}

#[test]
fn wrong_numbers_are_refused() {
    let dir = crate::harness::Dir::new();
    for value in ["0", "257", "-1", "many"] {
        run(dir.path(), &["serve", &format!("--threads={value}")]).misuse("--threads");
    }
    assert!(!dir.has_store());
    assert_eq!(
        Server::with(&["--threads", "2"])
            .connect()
            .send(&Request::get("/healthz"))
            .status,
        200
    );
}
