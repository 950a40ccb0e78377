//! `--threads`: several threads serve visitors, and limits apply to all of them together.

use std::fs;
use std::thread;

use crate::harness::{Request, Server, Setup, run};

/// Enough connections to reach each of two threads: the chance that one gets them all is 1 in 2^31.
const MANY: usize = 32;

/// The number of listeners on the server's port.
fn listeners(server: &Server) -> usize {
    /// `TCP_LISTEN`, as the kernel prints it.
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

#[test]
fn every_thread_serves_on_the_same_port() {
    let server = Server::with(&["--threads", "3"]);
    assert_eq!(listeners(&server), 3);
    // The system distributes connections among the listeners: if a thread did not serve its listener, some would get no response.
    for _ in 0..4 * MANY {
        assert_eq!(server.get("/faq").status, 200);
    }
}

#[test]
fn by_default_every_core_has_a_thread() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(listeners(&Server::start()), cores.min(8));
    // The number of cores that the process may use counts.
    let server = Setup::new().shell("exec taskset -c 0 \"$0\" \"$@\"").start();
    assert_eq!(listeners(&server), 1);
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
