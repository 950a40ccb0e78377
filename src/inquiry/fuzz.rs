//! Fuzz target: the bytes of a request's body. What is accepted and what is refused, and why, is compared with the rules
//! of spec section 5 and the contract, written a second time here.

use std::cell::Cell;

use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::*;
use crate::fuzz::record::{self, FIELDS, now};
use crate::{fuzz, store};

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
    fuzz::values("inquiry-records", 1500, &body, |body| {
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
        (Err(rejection), Expected::Refused(codes)) => {
            assert!(
                codes.contains(&rejection.code),
                "{rejection:?} instead of {codes:?}"
            );
            assert!(!format!("{rejection:?}").contains(SECRET), "{rejection:?}");
        }
        (_, expected) => panic!("{parsed:?} instead of {expected:?}"),
    }
}

/// An accepted inquiry holds what was sent, is stored and read without a change, and is accepted again as it is answered.
fn is_sound(inquiry: &NewInquiry, sent: &Map<String, Value>) {
    store::fuzz::survives(inquiry);
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

/// The first rule that a record breaks, in the order of the questionnaire.
fn fault(record: &Map<String, Value>) -> Option<&'static str> {
    let text = |name: &str| record.get(name).map_or("", |value| value.as_str().unwrap());
    let trimmed = |name: &str| trimmed(text(name));
    let is_choice = |name, ids: &[&str]| {
        let chosen: Vec<_> = text(name).split(',').collect();
        let is_new = |place: usize| !chosen[..place].contains(&chosen[place]);
        text(name).is_empty() || (0..chosen.len()).all(|place| ids.contains(&chosen[place]) && is_new(place))
    };
    let is_printable = |name, limit| {
        let length = trimmed(name).chars().count();
        length <= limit && !trimmed(name).contains(|c| c < ' ' || ('\u{7f}'..='\u{9f}').contains(&c))
    };
    let contact = ["first_name", "last_name", "email_address", "phone_number"];
    let rules = [
        (
            matches!(text("property_type"), "residential" | "commercial" | "industrial"),
            "invalid_property_type",
        ),
        (is_postal_code(trimmed("postal_code")), "invalid_postal_code"),
        (
            is_choice(
                "types_of_problems",
                &["nesting", "droppings", "noise", "damage", "health", "other"],
            ),
            "invalid_types_of_problems",
        ),
        (
            is_choice(
                "problem_locations",
                &["balcony", "roof", "facade", "courtyard", "garden", "other"],
            ),
            "invalid_problem_locations",
        ),
        (
            contact.iter().all(|name| !trimmed(name).is_empty()),
            "missing_field",
        ),
        (is_printable("first_name", 100), "invalid_first_name"),
        (is_printable("last_name", 100), "invalid_last_name"),
        (
            is_printable("email_address", 254) && is_email(trimmed("email_address")),
            "invalid_email_address",
        ),
        (
            is_printable("phone_number", 100) && is_phone(trimmed("phone_number")),
            "invalid_phone_number",
        ),
    ];
    rules
        .into_iter()
        .find_map(|(holds, code)| (!holds).then_some(code))
}

fn is_postal_code(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit()) && ("20000"..="22999").contains(&text)
}

fn is_email(text: &str) -> bool {
    let parts: Vec<&str> = text.split('@').collect();
    let [name, host] = parts[..] else { return false };
    // A dot with something on both sides, not merely at an end.
    let is_host = host
        .char_indices()
        .any(|(at, c)| c == '.' && at > 0 && at + 1 < host.len());
    !name.is_empty() && is_host && !text.contains(is_white)
}

fn is_phone(text: &str) -> bool {
    let dialled: String = text
        .chars()
        .filter(|&c| !is_white(c) && c != '-' && c != '(' && c != ')')
        .collect();
    let number = dialled
        .strip_prefix("+49")
        .or_else(|| dialled.strip_prefix('0'))
        .unwrap_or(&dialled);
    (9..=13).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && !number.starts_with('0')
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(is_white)
}

/// Unicode's `White_Space`, spelt out, and the byte order mark.
fn is_white(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}'
        | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// JSON that keeps what stands twice.
#[derive(Debug)]
enum Json {
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    Text(String),
    Other,
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Json;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Json::Object(entries))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
                let mut list = Vec::new();
                while let Some(value) = seq.next_element()? {
                    list.push(value);
                }
                Ok(Json::List(list))
            }

            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
                Ok(Json::Other)
            }
        }

        deserializer.deserialize_any(Any)
    }
}
