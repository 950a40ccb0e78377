//! An unreachable database, at start or later: pages are served, inquiries get 503, and everything recovers without a restart.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::harness::gate::{Gate, Mode};
use crate::harness::inquiry::post;
use crate::harness::{Dir, Server, Setup, leave_out_on_redb, record, run, until, until_true};

/// The longest wait for a response, whatever state the database is in: the 8 s that an inquiry may wait for it, plus the delays of
/// a busy machine.
const ANSWER: Duration = Duration::from_secs(15);

/// The longest wait for a page, which does not depend on the database.
const PAGE: Duration = Duration::from_secs(5);

static BEGIN: LazyLock<String> = LazyLock::new(|| jiff::Timestamp::now().to_string());

/// A relay in front of the database of a directory, and a setup that uses it.
fn gated(mode: Mode) -> (Gate, Setup) {
    let dir = Dir::new();
    let (gate, url) = Gate::before(&dir, mode);
    (gate, Setup::new().dir(&dir).args(&["--store", &url]))
}

/// Sends an inquiry with a key until it is stored; each refusal must be a proper 503.
fn store_in_the_end(server: &Server, key: &str) {
    let mut record = record("Kranichfeld");
    // Always the same time, because the key belongs to one request.
    record["created_at"] = BEGIN.as_str().into();
    let request = post(&record).header("Idempotency-Key", key);
    until("the inquiry is stored", || {
        let begun = Instant::now();
        let response = server.send(&request);
        assert!(begun.elapsed() < ANSWER, "{:?}", begun.elapsed());
        match response.status {
            201 => Some(()),
            503 => {
                response.expect("retry-after").parse::<u32>().unwrap();
                None
            }
            other => panic!("{other}: {}", response.text()),
        }
    });
}

fn assert_refuses(server: &Server) {
    let begun = Instant::now();
    let response = server.send(&post(&record("Kranichfeld")));
    assert_eq!(response.status, 503, "{}", response.text());
    response.expect("retry-after").parse::<u32>().unwrap();
    assert!(begun.elapsed() < ANSWER, "{:?}", begun.elapsed());
    assert_eq!(server.get("/healthz").status, 503);
    for page in ["/", "/fragebogen", "/blog"] {
        let begun = Instant::now();
        assert_eq!(server.get(page).status, 200);
        assert!(begun.elapsed() < PAGE, "{:?}", begun.elapsed());
    }
}

#[test]
fn it_starts_without_a_database_and_finds_it_later() {
    leave_out_on_redb!("a database that cannot be reached");
    for mode in [Mode::Closed, Mode::Hanging] {
        let (gate, setup) = gated(mode);
        let server = setup.start();
        assert_refuses(&server);
        gate.set(Mode::Open);
        store_in_the_end(&server, "later");
        until_true("it is well", || server.get("/healthz").status == 200);
        assert_eq!(server.stored().len(), 1);
    }
}

#[test]
fn it_outlives_a_database_that_goes_away() {
    leave_out_on_redb!("a database that cannot be reached");
    for mode in [Mode::Closed, Mode::Hanging] {
        let (gate, setup) = gated(Mode::Open);
        let server = setup.start();
        store_in_the_end(&server, "before");
        gate.set(mode);
        // The failure of one write is known to all requests.
        until_true("it notices", || {
            server.send(&post(&record("Kranichfeld"))).status == 503
        });
        assert_refuses(&server);
        gate.set(Mode::Open);
        store_in_the_end(&server, "after");
        store_in_the_end(&server, "before");
        let stored = server.stored().len();
        // Each refused inquiry may have been stored or not, but none of them twice.
        assert!((2..20).contains(&stored), "{stored}");
        assert_eq!(server.terminate().code, Some(0));
    }
}

#[test]
fn commands_fail_in_one_line() {
    leave_out_on_redb!("a database that cannot be reached");
    for mode in [Mode::Closed, Mode::Hanging] {
        let (gate, setup) = gated(mode);
        let url = format!("postgres://test@{}/postgres", gate.address);
        for args in [
            &["inquiries"][..],
            &["export"],
            &["check"],
            &["deliveries", "retry"],
        ] {
            let begun = Instant::now();
            let failed = run(setup.dir.path(), &[args, &["--store", &url]].concat());
            failed.failure();
            assert!(
                begun.elapsed() < Duration::from_secs(30),
                "{args:?}: {:?}",
                begun.elapsed()
            );
        }
    }
}
