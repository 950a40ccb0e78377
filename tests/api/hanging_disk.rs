//! A disk that hangs: inquiries are refused in time, pages still load, and the process can be stopped.

use std::time::{Duration, Instant};

use crate::harness::hanging_disk::HangingDisk;
use crate::harness::inquiry::post;
use crate::harness::{needs_files, record, until};
use crate::refusing::message;

/// The longest that a visitor or a service manager may wait.
const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn inquiries_are_refused_in_time_until_the_disk_recovers() {
    if needs_files("instances::outages has a database that hangs") {
        return;
    }
    let (disk, setup) = HangingDisk::new();
    let server = setup.args(&["--rate-limit", "1"]).start();
    let request = post(&record("Krause")).header("Idempotency-Key", "hanging");
    disk.hang();
    let start = Instant::now();
    let response = server.send(&request);
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    message(&response, 503);
    assert!(response.expect("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(server.get("/faq").status, 200);
    assert_eq!(server.get("/healthz").status, 503);
    disk.recover();
    // Not 429: refused inquiries do not count. The key prevents a duplicate.
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
    if needs_files("instances::outages has a database that hangs") {
        return;
    }
    let (disk, setup) = HangingDisk::new();
    let server = setup.start();
    assert_eq!(server.post(&record("Krause")).status, 201);
    disk.hang();
    let mut waiting = server.connect();
    waiting.send_raw(post(&record("Krause")).bytes("x")).unwrap();
    until("the health check to notice", || {
        (server.get("/healthz").status == 503).then_some(())
    });
    let start = Instant::now();
    let ended = server.terminate();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("did not close in time"), "{}", ended.stderr);
}
