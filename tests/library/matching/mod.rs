//! Which firms are asked: a table of cases, a comparison with a naive implementation, and fairness.

mod cases;
mod naive;
mod properties;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use taubenabwehr::domain::inquiry::{Answers, NewInquiry, Problem, PropertyType};
use taubenabwehr::domain::matching::{Firm, FirmId, PostalPrefix};

use crate::samples;

/// A firm that accepts every inquiry from Hamburg.
fn firm(id: &str) -> Firm {
    Firm {
        postal_codes: prefixes(&["20", "21", "22"]),
        ..samples::firm(id)
    }
}

fn prefixes(texts: &[&str]) -> Vec<PostalPrefix> {
    texts
        .iter()
        .map(|text| PostalPrefix::parse(text).unwrap())
        .collect()
}

fn ids(texts: &[&str]) -> Vec<FirmId> {
    texts.iter().map(|text| FirmId::parse(text).unwrap()).collect()
}

fn texts(ids: &[FirmId]) -> Vec<&str> {
    ids.iter().map(FirmId::as_str).collect()
}

fn firms(firms: &[Firm]) -> Arc<[Firm]> {
    firms.into()
}

/// The answers of a visitor at 20095 with a residential building and no problem chosen.
fn answers() -> Answers {
    let body = r#"{"postal_code":"20095","property_type":"residential","first_name":"Anna","last_name":"Meier",
        "email_address":"anna@example.de","phone_number":"040 1234567"}"#;
    let inquiry = NewInquiry::parse(body.as_bytes(), now()).unwrap();
    inquiry.answers.clone()
}

fn answers_of(property_type: PropertyType, problems: &[Problem]) -> Answers {
    Answers {
        property_type,
        types_of_problems: problems.to_vec(),
        ..answers()
    }
}

fn now() -> Timestamp {
    "2026-11-08T12:00:00Z".parse().unwrap()
}

fn before_now(before: SignedDuration) -> Timestamp {
    now() - before
}
