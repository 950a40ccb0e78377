//! Fuzz target: the body that the questionnaire sends without JavaScript. Compares the result with an independent implementation of
//! the format (WHATWG URL, "application/x-www-form-urlencoded parsing") and of the rules.

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::{Map, Value};
use taubenabwehr::domain::inquiry::Form;

use crate::harness as fuzz;
use crate::harness::record::{self, now};
use crate::harness::text::nasty;
use crate::inquiry::rules::{fault, trimmed};

/// A marker in the samples wherever a visitor types something. No error may contain it.
const SECRET: &str = "Geheim";

/// Maximum length of the free text under Sonstiges, in UTF-16 code units.
const MAX_FREE_TEXT: usize = 400;

/// The buildings that the form offers and the types that a link may preselect, each with its property type.
const PROPERTIES: [(&str, &str); 8] = [
    ("residential-house", "residential"),
    ("residential-apartment", "residential"),
    ("commercial-office", "commercial"),
    ("commercial-retail", "commercial"),
    ("commercial-restaurant", "commercial"),
    ("industrial", "industrial"),
    ("residential", "residential"),
    ("commercial", "commercial"),
];

const TOKENS: &[&str] = &[
    "&",
    "&&",
    "=",
    "==",
    "+",
    "%",
    "%2",
    "%20",
    "%2B",
    "%26",
    "%3D",
    "%00",
    "%0D%0A",
    "%C3%A4",
    "%c3",
    "%FF",
    "%E2%80%AE",
    "%zz",
    "ä",
    "\0",
    "\r\n",
    ";",
    "propertyType=",
    "propertyType=industrial&",
    "postalCode=20095&",
    "problems=nesting&",
    "problems=nesting%2Cother&",
    "problems=other&",
    "problemOther=Geheim&",
    "locations=roof&",
    "locationOther=Geheim&",
    "firstName=&",
    "lastName=Geheim&",
    "email=a%40b.c&",
    "phone=%2B49401234567&",
    "consent=1&",
    "consent=65536&",
    "homepage=&",
    "homepage=x&",
    "first%4Eame=x&",
    "unknown=1&",
];

#[test]
fn bytes() {
    fuzz::bytes("form", 1500, TOKENS, check);
}

#[test]
fn filled() {
    let record = record::nearly_valid();
    let property = prop::sample::select(&PROPERTIES[..]).prop_map(|(id, _)| id.to_owned());
    let property = prop_oneof![12 => property, 1 => nasty()];
    let free = || prop_oneof![2 => Just(String::new()), 1 => nasty()];
    let (total, accepted) = (Cell::new(0), Cell::new(0));
    let input = (
        record,
        property,
        free(),
        free(),
        prop::sample::select(&[0, 1, 2][..]),
    );
    fuzz::values(
        "form-filled",
        800,
        &input,
        |(record, property, problem, location, spelling)| {
            let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default();
            let mut pairs = vec![
                ("propertyType", property.as_str()),
                ("postalCode", text("postal_code")),
            ];
            pairs.extend(
                text("types_of_problems")
                    .split(',')
                    .filter(|id| !id.is_empty())
                    .map(|id| ("problems", id)),
            );
            pairs.extend(
                text("problem_locations")
                    .split(',')
                    .filter(|id| !id.is_empty())
                    .map(|id| ("locations", id)),
            );
            pairs.extend([
                ("problemOther", problem.as_str()),
                ("locationOther", location.as_str()),
                ("firstName", text("first_name")),
                ("lastName", text("last_name")),
                ("email", text("email_address")),
                ("phone", text("phone_number")),
                ("consent", "1"),
            ]);
            let pairs = pairs
                .into_iter()
                .map(|(name, value)| format!("{name}={}", encode(value, spelling)));
            let body = pairs.collect::<Vec<_>>().join("&");
            check(body.as_bytes());
            total.set(total.get() + 1);
            let form = Form::read(body.as_bytes()).unwrap();
            assert_eq!(form.first_name, text("first_name"));
            accepted.set(accepted.get() + usize::from(form.check(now()).is_ok()));
        },
    );
    // If nearly all forms got the same verdict, the comparison would prove nothing.
    let range = total.get() / 5..total.get() * 4 / 5;
    assert!(
        range.contains(&accepted.get()),
        "{accepted:?} of {total:?} were accepted"
    );
}

/// Percent-encodes a value: every byte, the bytes that browsers encode, or as few as possible.
fn encode(value: &str, spelling: usize) -> String {
    let is_plain = |byte: u8| match spelling {
        0 => false,
        1 => byte.is_ascii_alphanumeric() || b"*-._".contains(&byte),
        _ => !b"&=+%".contains(&byte),
    };
    let mut encoded = Vec::new();
    for byte in value.bytes() {
        match byte {
            b' ' if spelling == 1 => encoded.push(b'+'),
            _ if is_plain(byte) => encoded.push(byte),
            _ => encoded.extend(format!("%{byte:02X}").bytes()),
        }
    }
    String::from_utf8(encoded).unwrap()
}

/// Checks how a body is parsed and which values are accepted.
pub fn check(body: &[u8]) {
    let form = Form::read(body);
    let Some(expected) = expected(body) else {
        assert_eq!(form, None);
        return;
    };
    let form = form.expect("the body is UTF-8");
    let last = |name: &str| {
        let found = expected.iter().rev().find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    let every = |name: &str| -> Vec<&str> {
        let found = expected.iter().filter(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str()).collect()
    };
    for (read, name) in [
        (&form.property, "propertyType"),
        (&form.postal_code, "postalCode"),
        (&form.problem_other, "problemOther"),
        (&form.location_other, "locationOther"),
        (&form.first_name, "firstName"),
        (&form.last_name, "lastName"),
        (&form.email, "email"),
        (&form.phone, "phone"),
    ] {
        assert_eq!(read, last(name), "{name}");
    }
    assert_eq!(form.problems, every("problems"));
    assert_eq!(form.locations, every("locations"));
    let is_trapped = every("homepage").iter().any(|value| !value.is_empty());
    assert_eq!(form.suspicion().is_some(), is_trapped);

    let property = PROPERTIES.iter().find(|(id, _)| *id == form.property);
    let record: Map<String, Value> = [
        ("property_type", property.map_or("", |(_, kind)| kind).to_owned()),
        ("postal_code", form.postal_code.clone()),
        ("types_of_problems", form.problems.join(",")),
        ("problem_locations", form.locations.join(",")),
        ("first_name", form.first_name.clone()),
        ("last_name", form.last_name.clone()),
        ("email_address", form.email.clone()),
        ("phone_number", form.phone.clone()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), Value::String(value)))
    .collect();
    let is_too_long = [
        (&form.problems, &form.problem_other),
        (&form.locations, &form.location_other),
    ]
    .iter()
    .any(|(chosen, typed)| chosen.iter().any(|id| id == "other") && on_one_line(typed) > MAX_FREE_TEXT);
    match (form.check(now()), fault(&record)) {
        (Ok((inquiry, additions)), None) if !is_too_long => {
            assert_eq!(inquiry.created_at, now());
            let answers = &inquiry.answers;
            assert_eq!(answers.first_name.as_str(), trimmed(&form.first_name));
            assert_eq!(answers.last_name.as_str(), trimmed(&form.last_name));
            for (id, typed) in [
                (&form.problems, &form.problem_other),
                (&form.locations, &form.location_other),
            ] {
                let is_said = additions.contains(SECRET);
                let is_asked = id.iter().any(|id| id == "other") && typed.starts_with(SECRET);
                assert!(is_said || !is_asked, "{additions:?}");
            }
        }
        (Err(faults), code) if is_too_long || code.is_some() => {
            let gravest = faults.gravest().expect("something is wrong").code;
            let is_text = is_too_long && gravest == "invalid_free_text";
            assert!(is_text || Some(gravest) == code, "{faults:?}");
            assert!(!format!("{faults:?}").contains(SECRET), "{faults:?}");
        }
        (checked, expected) => panic!("{checked:?} instead of {expected:?}"),
    }
}

/// The length of typed text on one line, as it is passed on, in UTF-16 code units.
fn on_one_line(typed: &str) -> usize {
    let turns = |c: char| {
        "\u{61c}\u{200e}\u{200f}".contains(c)
            || ('\u{202a}'..='\u{202e}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    let line: String = typed
        .chars()
        .filter(|&c| !turns(c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    trimmed(&line).encode_utf16().count()
}

/// The names and values of a body; `None` if it is not UTF-8.
fn expected(body: &[u8]) -> Option<Vec<(String, String)>> {
    String::from_utf8(decoded(body)).ok()?;
    let parts = body.split(|&byte| byte == b'&').filter(|part| !part.is_empty());
    let pairs = parts.map(|part| {
        let end = part.iter().position(|&byte| byte == b'=');
        let (name, value) = end.map_or((part, &[][..]), |end| (&part[..end], &part[end + 1..]));
        let text = |bytes: &[u8]| {
            let spaced: Vec<u8> = bytes
                .iter()
                .map(|&byte| if byte == b'+' { b' ' } else { byte })
                .collect();
            String::from_utf8_lossy(&decoded(&spaced)).into_owned()
        };
        (text(name), text(value))
    });
    Some(pairs.collect())
}

fn decoded(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut rest = bytes;
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let (b'%', Some(digits)) = (byte, digits) {
            decoded.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &after[2..];
        } else {
            decoded.push(byte);
            rest = after;
        }
    }
    decoded
}
