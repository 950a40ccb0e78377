//! `--threads`: several threads serve visitors, and limits apply to all of them together.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Request, Server, Setup, run};

/// Longer than idle threads for blocking work, which have the same name, are kept.
const PATIENCE: Duration = Duration::from_secs(40);

/// Asserts that this many threads serve visitors besides the first one.
fn assert_workers(server: &Server, expected: usize) {
    let started = Instant::now();
    let workers = || {
        let threads = fs::read_dir(format!("/proc/{}/task", server.id())).unwrap();
        let names = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("comm")));
        names
            .filter(|name| name.as_ref().is_ok_and(|name| name.starts_with("tokio-rt")))
            .count()
    };
    while workers() != expected {
        assert!(
            started.elapsed() < PATIENCE,
            "{} instead of {expected}",
            workers()
        );
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn several_threads_serve_one_port() {
    let server = Server::with(&["--threads", "3"]);
    assert_workers(&server, 3);
    assert_eq!(server.get("/faq").status, 200);
}

#[test]
fn by_default_every_core_has_a_thread() {
    let cores = thread::available_parallelism().map_or(1, usize::from).min(8);
    // The first thread serves alone on a single core.
    let workers = if cores == 1 { 0 } else { cores };
    assert_workers(&Server::start(), workers);
    // The number of cores that the process may use counts.
    let server = Setup::new().shell("exec taskset -c 0 \"$0\" \"$@\"").start();
    assert_workers(&server, 0);
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
