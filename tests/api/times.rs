//! `created_at`: the client's time if it is credible, else the server's (contract, "HTTP").

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::harness::inquiry::{with, without};
use crate::harness::{Server, record};

fn kept(record: &Value) -> Timestamp {
    let text = record["created_at"].as_str().unwrap();
    assert!(text.ends_with('Z'), "{text} is not in UTC");
    text.parse().unwrap()
}

/// The time without what is below a millisecond.
fn millis(time: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(time.as_millisecond()).unwrap()
}

#[test]
fn a_credible_time_is_kept() {
    let server = Server::start();
    let now = Timestamp::now();
    for age in [0, 1, 60, 3600, 24 * 3600, 7 * 24 * 3600 - 60] {
        let sent = millis(now - SignedDuration::from_secs(age));
        assert_eq!(
            kept(&server.store(&with("created_at", sent.to_string()))),
            sent,
            "{age} s ago"
        );
    }
}

#[test]
fn another_offset_is_the_same_time() {
    let server = Server::start();
    let sent = millis(Timestamp::now() - SignedDuration::from_hours(5));
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(2));
    let text = sent
        .to_zoned(zone)
        .strftime("%Y-%m-%dT%H:%M:%S.%3f+02:00")
        .to_string();
    assert_eq!(kept(&server.store(&with("created_at", text))), sent);
}

#[test]
fn a_time_that_cannot_be_true_is_replaced() {
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
        let before = millis(Timestamp::now());
        let time = kept(&server.store(&with("created_at", text.as_str())));
        assert!(
            before <= time && time <= Timestamp::now(),
            "{text:?} became {time}"
        );
    }
}

#[test]
fn a_time_that_is_missing_is_the_servers() {
    let server = Server::start();
    let before = millis(Timestamp::now());
    let time = kept(&server.store(&without("created_at")));
    assert!(before <= time && time <= Timestamp::now(), "{time}");
}

#[test]
fn a_time_is_exported_as_it_was_answered() {
    let server = Server::start();
    let answered = server.store(&record("Krause"));
    assert_eq!(server.stored()[0]["created_at"], answered["created_at"]);
}
