//! Fuzz target: the bytes of a request's body. What is accepted and what is refused, and why, is compared with the
//! rules of spec section 5 and the contract, written a second time here.

mod json;
mod rules;

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::{Map, Value};

use jiff::Timestamp;
use taubenabwehr::inquiry::*;
use uuid::Uuid;

use crate::harness::record::{self, FIELDS, now};
use crate::{harness as fuzz, record as stored};
use json::Json;
use rules::{fault, trimmed};

/// Stands in the samples wherever a visitor writes; no refusal may repeat it.
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
    let body = (record::near(), any::<bool>()).prop_map(|(record, in_array)| {
        let record = Value::Object(record).to_string();
        if in_array { format!("[{record}]") } else { record }
    });
    let (asked, accepted) = (Cell::new(0), Cell::new(0));
    fuzz::values("inquiry-records", 800, &body, |body| {
        check(body.as_bytes());
        asked.set(asked.get() + 1);
        accepted.set(accepted.get() + usize::from(NewInquiry::parse(body.as_bytes(), now()).is_ok()));
    });
    // Where one side of the verdict hardly ever comes, nothing has been compared.
    let range = asked.get() / 5..asked.get() * 4 / 5;
    assert!(
        range.contains(&accepted.get()),
        "{accepted:?} of {asked:?} were accepted"
    );
}

fn check(body: &[u8]) {
    let parsed = NewInquiry::parse(body, now());
    match (&parsed, expected(body)) {
        (Ok(inquiry), Expected::Accepted(record)) => is_sound(inquiry, &record),
        (Err(error), Expected::Refused(codes)) => {
            assert!(
                codes.contains(&error.body().code),
                "{error:?} instead of {codes:?}"
            );
            assert!(!format!("{error:?}").contains(SECRET), "{error:?}");
        }
        (_, expected) => panic!("{parsed:?} instead of {expected:?}"),
    }
}

/// An accepted inquiry holds what was sent, is stored and read without a change, and is accepted again as answered.
fn is_sound(inquiry: &NewInquiry, sent: &Map<String, Value>) {
    stored::survives(inquiry);
    let id = Uuid::from_u128(1);
    let Value::Object(mut answered) = serde_json::to_value(inquiry.clone().with_id(id)).unwrap() else {
        panic!("no object");
    };
    answered.remove("id");
    for (name, value) in &answered {
        let sent = sent.get(name).map_or("", |value| value.as_str().unwrap());
        if name == "created_at" {
            is_credible(inquiry.created_at(), sent);
        } else {
            assert_eq!(value, trimmed(sent), "{name}");
        }
    }
    let again = NewInquiry::parse(Value::Object(answered).to_string().as_bytes(), now()).unwrap();
    assert_eq!(again.answers(), inquiry.answers());
    assert_eq!(again.created_at(), inquiry.created_at());
}

/// The server's time, unless the client's is one, and from the last seven days.
fn is_credible(time: Timestamp, sent: &str) {
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
    /// One of these codes.
    Refused(Vec<&'static str>),
}

fn expected(body: &[u8]) -> Expected {
    let refused = |code| Expected::Refused(vec![code]);
    // Where two things are wrong, either may be found first.
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
