//! `created_at`: the client's time if it is plausible, otherwise the server's (`docs/behaviour.md`, "The inquiry API").

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::harness::Server;
use crate::harness::inquiry::{with, without};

/// The stored time of a record.
fn created_at(record: &Value) -> Timestamp {
    let text = record["created_at"].as_str().unwrap();
    assert!(text.ends_with('Z'), "{text} is not in UTC");
    text.parse().unwrap()
}

/// Truncates a time to whole milliseconds.
fn truncated(time: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(time.as_millisecond()).unwrap()
}

#[test]
fn plausible_times_are_kept() {
    let server = Server::start();
    let now = Timestamp::now();
    for age in [0, 1, 60, 3600, 24 * 3600, 7 * 24 * 3600 - 60] {
        let sent = truncated(now - SignedDuration::from_secs(age));
        assert_eq!(
            created_at(&server.store(&with("created_at", sent.to_string()))),
            sent,
            "{age} s ago"
        );
    }
}

#[test]
fn offsets_are_converted_to_utc() {
    let server = Server::start();
    let sent = truncated(Timestamp::now() - SignedDuration::from_hours(5));
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(2));
    let text = sent
        .to_zoned(zone)
        .strftime("%Y-%m-%dT%H:%M:%S.%3f+02:00")
        .to_string();
    assert_eq!(created_at(&server.store(&with("created_at", text))), sent);
}

#[test]
fn implausible_times_are_replaced() {
    let server = Server::start();
    let future = Timestamp::now() + SignedDuration::from_mins(10);
    let old = Timestamp::now() - SignedDuration::from_hours(7 * 24) - SignedDuration::from_mins(1);
    for text in [
        future.to_string(),
        old.to_string(),
        "1970-01-01T00:00:00Z".to_owned(),
        "9999-12-31T23:59:59Z".to_owned(),
        "0000-01-01T00:00:00Z".to_owned(),
        String::new(),
        "gestern".to_owned(),
        "2026-13-45T99:99:99Z".to_owned(),
        Timestamp::now().strftime("%Y-%m-%d").to_string(),
        Timestamp::now().strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Timestamp::now().as_second().to_string(),
        "9".repeat(1000),
    ] {
        let before = truncated(Timestamp::now());
        let time = created_at(&server.store(&with("created_at", text.as_str())));
        assert!(
            before <= time && time <= Timestamp::now(),
            "{text:?} became {time}"
        );
    }
}

#[test]
fn missing_times_are_filled_in() {
    let server = Server::start();
    let before = truncated(Timestamp::now());
    let time = created_at(&server.store(&without("created_at")));
    assert!(before <= time && time <= Timestamp::now(), "{time}");
}
