//! A hanging store: inquiries are refused in time, pages still load, and the process can be stopped.

use std::time::{Duration, Instant};

use crate::harness::hanging_store::HangingStore;
use crate::harness::inquiry::post;
use crate::harness::store::is_postgres;
use crate::harness::{record, until, until_true};
use crate::refusing::message;

/// The longest wait of a visitor or a service manager: 8 s and 9 s, plus the delays of a busy machine.
const LIMIT: Duration = Duration::from_secs(15);

#[test]
fn inquiries_are_refused_in_time_until_the_store_recovers() {
    let (store, setup) = HangingStore::new();
    let server = setup.args(&["--rate-limit", "1"]).start();
    let request = post(&record("Krause")).header("Idempotency-Key", "hanging");
    store.hang();
    let start = Instant::now();
    let response = server.send(&request);
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    message(&response, 503);
    assert!(response.expect("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(server.get("/faq").status, 200);
    assert_eq!(server.get("/healthz").status, 503);
    store.recover();
    // Not 429, since refused inquiries do not count. The key prevents a duplicate.
    let stored = until("the inquiry to be stored", || {
        let response = server.send(&request);
        assert_ne!(response.status, 429);
        (response.status == 201).then_some(response)
    });
    assert_eq!(stored.status, 201);
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn the_process_stops_in_time() {
    let (store, setup) = HangingStore::new();
    let server = setup.start();
    assert_eq!(server.post(&record("Krause")).status, 201);
    store.hang();
    let mut waiting = server.connect();
    waiting.send_raw(post(&record("Krause")).bytes("x")).unwrap();
    until_true("the health check to notice", || {
        server.get("/healthz").status == 503
    });
    let start = Instant::now();
    let ended = server.terminate();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // A connection can be abandoned, a blocked system call cannot.
    let expected = if is_postgres() {
        "cannot be written"
    } else {
        "did not close in time"
    };
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
}
