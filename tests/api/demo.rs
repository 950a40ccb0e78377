//! `--demo`: inquiries succeed without a store, and the log says so.

use crate::harness::inquiry::{post, with};
use crate::harness::{COLUMNS, Server, record, until_true};
use crate::refusing::message;

#[test]
fn inquiries_succeed_and_are_not_stored() {
    let server = Server::with(&["--demo"]);
    let response = server.post(&record("Krause"));
    assert_eq!((response.status, response.text()), (201, ""));
    assert!(!server.dir().has_store(), "a store was created");
    assert_eq!(std::fs::read_dir(server.dir().path()).unwrap().count(), 0);
}

#[test]
fn the_log_mentions_the_demo_at_start_and_per_inquiry() {
    let server = Server::with(&["--demo"]);
    let at_start = server.logged("demo");
    let count = || {
        server
            .stderr()
            .lines()
            .filter(|line| line.to_lowercase().contains("demo"))
            .count()
    };
    assert_eq!(count(), 1, "{at_start}");
    for posted in 1..=3 {
        assert_eq!(server.post(&record("Krause")).status, 201);
        until_true("a line about the inquiry", || count() == 1 + posted);
    }
    assert!(!server.stderr().contains("Krause"));
}

#[test]
fn inquiries_are_still_validated() {
    let server = Server::with(&["--demo"]);
    server.logged("demo");
    message(&server.post(&with("postal_code", "1")), 400);
    message(
        &server.send(&post(&record("Krause")).header("Origin", "null")),
        403,
    );
    message(
        &server.send(&post(&record("Krause")).header("Idempotency-Key", "")),
        400,
    );
    assert_eq!(
        server.stderr().to_lowercase().matches("demo").count(),
        1,
        "a refused inquiry is logged"
    );
}

#[test]
fn representations_look_like_stored_records() {
    let server = Server::with(&["--demo"]);
    let one = server.store(&record("Krause"));
    assert_eq!(one.as_object().unwrap().len(), COLUMNS.len());
    assert_ne!(one["id"], server.store(&record("Krause"))["id"]);
}

#[test]
fn a_demo_is_always_healthy() {
    let server = Server::with(&["--demo"]);
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn existing_data_is_untouched() {
    let server = Server::start();
    let stored = server.store(&record("Krause"));
    let demo = crate::harness::Setup::new()
        .dir(server.dir())
        .args(&["--demo"])
        .start();
    assert_eq!(demo.post(&record("Anders")).status, 201);
    assert_eq!(server.stored(), [stored]);
}
