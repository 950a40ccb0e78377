//! Fuzz target: the body of a request. Compares the result, including the reason of a refusal, with an independent implementation
//! of the rules (`docs/behaviour.md`, "Validation").

mod json;
pub mod rules;

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::{Map, Value};

use jiff::Timestamp;
use taubenabwehr::domain::inquiry::*;
use uuid::Uuid;

use crate::harness::record::{self, FIELDS, now};
use crate::{harness as fuzz, record as stored};
use json::Json;
use rules::{fault, trimmed};

/// A marker in the samples wherever a visitor types something. No error may contain it.
const SECRET: &str = "Geheim";

const TOKENS: &[&str] = &[
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "1e999",
    "-0",
    " ",
    "\t",
    "\n",
    "\0",
    "\\u0000",
    "\\ud800",
    "\\ud83d\\udd4a",
    "\\u00e4",
    "\\/",
    "\u{feff}",
    "\u{a0}",
    "\u{85}",
    "🕊",
    "\"created_at\":",
    "\"first_name\":\"\",",
    "\"first\\u005fname\":\"\",",
    "\"phone_number\":\"040 1234567\"",
    "\"id\":\"\",",
    "2026-11-08T12:00:00Z",
    "20095",
    "residential",
    "nesting",
    "roof",
    "x@y.z",
    "+49",
    "(0)",
];

#[test]
fn bytes() {
    fuzz::bytes("inquiry", 1500, TOKENS, check);
}

#[test]
fn records() {
    let body = (record::nearly_valid(), any::<bool>()).prop_map(|(record, in_array)| {
        let record = Value::Object(record).to_string();
        if in_array { format!("[{record}]") } else { record }
    });
    let (total, accepted) = (Cell::new(0), Cell::new(0));
    fuzz::values("inquiry-records", 800, &body, |body| {
        check(body.as_bytes());
        total.set(total.get() + 1);
        accepted.set(accepted.get() + usize::from(NewInquiry::parse(body.as_bytes(), now()).is_ok()));
    });
    // If nearly all records got the same verdict, the comparison would prove nothing.
    let range = total.get() / 5..total.get() * 4 / 5;
    assert!(
        range.contains(&accepted.get()),
        "{accepted:?} of {total:?} were accepted"
    );
}

/// Checks what is accepted from a body, and the reason for rejecting the rest.
pub fn check(body: &[u8]) {
    let parsed = NewInquiry::parse(body, now());
    match (&parsed, expected(body)) {
        (Ok(inquiry), Expected::Accepted(record)) => assert_sound(inquiry, &record),
        (Err(error), Expected::Refused(codes)) => {
            assert!(codes.contains(&error.code), "{error:?} instead of {codes:?}");
            assert!(!format!("{error:?}").contains(SECRET), "{error:?}");
        }
        (_, expected) => panic!("{parsed:?} instead of {expected:?}"),
    }
}

/// Asserts that an accepted inquiry contains what was sent, survives storage, and is accepted again as returned.
fn assert_sound(inquiry: &NewInquiry, sent: &Map<String, Value>) {
    stored::assert_round_trip(inquiry);
    let id = Uuid::from_u128(1);
    let Value::Object(mut returned) = serde_json::to_value(inquiry.clone().with_id(id).row()).unwrap() else {
        panic!("an inquiry must serialize to an object");
    };
    returned.remove("id");
    for (name, value) in &returned {
        let sent = sent.get(name).map_or("", |value| value.as_str().unwrap());
        if name == "created_at" {
            assert_plausible(inquiry.created_at, sent);
        } else {
            assert_eq!(value, trimmed(sent), "{name}");
        }
    }
    let again = NewInquiry::parse(Value::Object(returned).to_string().as_bytes(), now()).unwrap();
    assert_eq!(again.answers, inquiry.answers);
    assert_eq!(again.created_at, inquiry.created_at);
}

/// Asserts that the time is the client's if it is valid and within the last seven days, and the server's otherwise.
fn assert_plausible(time: Timestamp, sent: &str) {
    let oldest = now() - jiff::SignedDuration::from_hours(7 * 24);
    assert!(oldest <= time && time <= now(), "{time}");
    let Ok(claimed) = sent.parse::<Timestamp>() else {
        return;
    };
    let is_plain = sent == claimed.to_string();
    let is_recent = oldest <= claimed && claimed <= now();
    if is_plain && is_recent || time != now() {
        assert_eq!(time.as_millisecond(), claimed.as_millisecond(), "{sent}");
    }
}

#[derive(Debug)]
enum Expected {
    Accepted(Map<String, Value>),
    /// Rejected with one of these codes.
    Refused(Vec<&'static str>),
}

fn expected(body: &[u8]) -> Expected {
    let refused = |code| Expected::Refused(vec![code]);
    // Of two errors, either may be found first.
    let Ok(json) = serde_json::from_slice::<Json>(body) else {
        return Expected::Refused(vec!["invalid_json", "invalid_record"]);
    };
    let record = match json {
        Json::List(mut list) if list.len() == 1 => list.remove(0),
        json => json,
    };
    let Json::Object(entries) = record else {
        return refused("invalid_record");
    };
    let is_record = entries.iter().enumerate().all(|(place, (name, value))| {
        let is_new = !entries[..place].iter().any(|(earlier, _)| earlier == name);
        FIELDS.contains(&name.as_str()) && matches!(value, Json::Text(_)) && is_new
    });
    if !is_record {
        return refused("invalid_record");
    }
    let record: Map<_, _> = entries
        .into_iter()
        .filter_map(|(name, value)| match value {
            Json::Text(text) => Some((name, Value::String(text))),
            _ => None,
        })
        .collect();
    match fault(&record) {
        None => Expected::Accepted(record),
        Some(code) => refused(code),
    }
}
