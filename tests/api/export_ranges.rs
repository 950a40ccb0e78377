//! `--since` (inclusive) and `--until` (exclusive), with dates in Berlin.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::harness::inquiry::with;
use crate::harness::{Server, run};

fn berlin() -> TimeZone {
    jiff::tz::get!("Europe/Berlin")
}

/// Two days ago in Berlin, so that times around its midnight are accepted.
fn day() -> Date {
    Timestamp::now().to_zoned(berlin()).date() - 2.days()
}

fn midnight(date: Date) -> Timestamp {
    date.to_zoned(berlin()).unwrap().timestamp()
}

/// A server with one inquiry at each of these times.
fn filled(times: &[Timestamp]) -> Server {
    let server = Server::start();
    for time in times {
        server.store(&with("created_at", time.to_string()));
    }
    server
}

/// The times of the inquiries in an export with these arguments.
fn exported(server: &Server, args: &[&str]) -> Vec<Timestamp> {
    let all: Vec<&str> = ["--format", "jsonl"].iter().chain(args).copied().collect();
    let export = server.export(&all);
    let time = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["created_at"].as_str().unwrap().parse().unwrap()
    };
    export.success().lines().map(time).collect()
}

#[test]
fn a_date_is_midnight_in_berlin() {
    let midnight = midnight(day());
    let before = midnight - SignedDuration::from_millis(1);
    let after = midnight + SignedDuration::from_millis(1);
    let server = filled(&[before, midnight, after]);
    let date = day().to_string();
    assert_eq!(exported(&server, &["--since", &date]), [midnight, after]);
    assert_eq!(exported(&server, &["--until", &date]), [before]);
    let next = day().tomorrow().unwrap().to_string();
    assert_eq!(
        exported(&server, &["--since", &date, "--until", &next]),
        [midnight, after]
    );
    assert_eq!(exported(&server, &["--since", &next]), []);
}

#[test]
fn since_is_inclusive_and_until_exclusive() {
    let base = midnight(day());
    let times: Vec<Timestamp> = (0..5)
        .map(|hour| base + SignedDuration::from_hours(hour))
        .collect();
    let server = filled(&times);
    let text = |at: usize| times[at].to_string();
    assert_eq!(exported(&server, &["--since", &text(1)]), times[1..]);
    assert_eq!(exported(&server, &["--until", &text(3)]), times[..3]);
    assert_eq!(
        exported(&server, &["--since", &text(1), "--until", &text(3)]),
        times[1..3]
    );
    assert_eq!(exported(&server, &["--since", &text(2), "--until", &text(2)]), []);
    assert_eq!(exported(&server, &[]), times);
}

#[test]
fn what_is_no_time_is_wrong_usage() {
    let server = Server::start();
    for flag in ["--since", "--until"] {
        for text in [
            "gestern",
            "",
            "2026-13-01",
            "2025-02-29",
            "2025-01-01T00:00:00",
            "2025-01-01 00:00:00Z",
            "1735689600",
        ] {
            server.export(&[&format!("{flag}={text}")]).misuse(flag);
        }
    }
    run(server.dir().path(), &["export", "--format", "pdf"]).misuse("--format");
    run(server.dir().path(), &["export", "--wrong"]).misuse("--wrong");
    run(server.dir().path(), &["export", "surplus"]).misuse("surplus");
}
