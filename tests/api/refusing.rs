//! Refused inquiries: the status, the format and the German message of every error. None of them is stored.

use serde_json::{Value, json};

use crate::harness::inquiry::{post, with};
use crate::harness::{Response, Server, record};

/// Checks the format of an error and returns its message.
pub fn message(response: &Response, status: u16) -> String {
    assert_eq!(response.status, status, "{}", response.text());
    assert!(response.expect("content-type").starts_with("application/json"));
    let error = response.json();
    let keys: Vec<&String> = error.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 4, "{error}");
    for key in ["message", "code"] {
        assert!(
            error[key].as_str().is_some_and(|text| !text.is_empty()),
            "{key} in {error}"
        );
    }
    for key in ["details", "hint"] {
        assert!(
            error
                .get(key)
                .is_some_and(|text| text.is_null() || text.is_string()),
            "{key} in {error}"
        );
    }
    error["message"]
        .as_str()
        .unwrap()
        .trim_end_matches('.')
        .to_owned()
}

/// The error message for a field.
fn message_for(field: &str) -> Option<&'static str> {
    match field {
        "property_type" => Some("Bitte wählen Sie einen Gebäudetyp aus"),
        "postal_code" => Some("Bitte geben Sie eine gültige Hamburger Postleitzahl ein"),
        "email_address" => Some("Bitte geben Sie eine gültige E-Mail-Adresse ein"),
        "phone_number" => Some("Ungültige Telefonnummer"),
        _ => None,
    }
}

#[test]
fn invalid_fields_get_the_messages_of_the_form() {
    let server = Server::start();
    for (field, value) in [
        ("property_type", ""),
        ("property_type", "residential-house"),
        ("property_type", "Residential"),
        ("property_type", "multi"),
        ("postal_code", ""),
        ("postal_code", "19999"),
        ("postal_code", "23000"),
        ("postal_code", "2009"),
        ("postal_code", "٢٠٠٩٥"),
        ("types_of_problems", "pigeons"),
        ("types_of_problems", "nesting,"),
        ("types_of_problems", "nesting;noise"),
        ("types_of_problems", "roof"),
        ("problem_locations", "cellar"),
        ("problem_locations", ",balcony"),
        ("problem_locations", "Balcony"),
        ("email_address", "niemand"),
        ("email_address", "a@b"),
        ("email_address", "a b@example.org"),
        ("phone_number", "12345"),
        ("phone_number", "+43 1 234567890"),
        ("phone_number", "040/1234567/"),
    ] {
        let response = server.post(&with(field, value));
        let message = message(&response, 400);
        if let Some(expected) = message_for(field) {
            assert_eq!(message, expected, "{field} {value:?}");
        }
    }
    let details = |field: &str| {
        server.post(&with(field, "1")).json()["details"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(
        details("postal_code")
            .starts_with("Gültige Postleitzahlen für Hamburg und Umgebung beginnen mit 20, 21, 22")
    );
    assert!(details("phone_number").starts_with(
        "Bitte geben Sie eine gültige deutsche Telefonnummer ein (z.B. +49 123 456789 oder 0123 456789)"
    ));
    assert!(server.stored().is_empty());
}

#[test]
fn the_earliest_invalid_step_is_reported() {
    let server = Server::start();
    let mut record = record("Krause");
    for (field, wrong, expected) in [
        ("phone_number", "1", "Ungültige Telefonnummer"),
        (
            "email_address",
            "x",
            "Bitte geben Sie eine gültige E-Mail-Adresse ein",
        ),
        ("last_name", "", "Bitte füllen Sie alle Pflichtfelder aus"),
        (
            "postal_code",
            "1",
            "Bitte geben Sie eine gültige Hamburger Postleitzahl ein",
        ),
        ("property_type", "x", "Bitte wählen Sie einen Gebäudetyp aus"),
    ] {
        record[field] = wrong.into();
        assert_eq!(message(&server.post(&record), 400), expected, "{field}");
    }
}

#[test]
fn errors_do_not_echo_input() {
    let server = Server::start();
    for record in [
        with("email_address", "geheim-a@"),
        with("phone_number", "geheim-b"),
        with("first_name", format!("geheim-c{}", "x".repeat(100))),
        with("geheim-d", "geheim-e"),
        with("created_at", json!({ "geheim-f": "geheim-g" })),
    ] {
        let response = server.post(&record);
        assert_eq!(response.status, 400);
        assert!(!response.text().contains("geheim"), "{}", response.text());
    }
    let response = server.send(&post(&record("Krause")).header("Idempotency-Key", "geheim schlüssel"));
    assert_eq!(response.status, 400);
    assert!(!response.text().contains("geheim"), "{}", response.text());
}

#[test]
fn the_shared_validation_cases_hold_over_http() {
    let cases: Value = serde_json::from_str(include_str!("../cases/validation.json")).unwrap();
    let server = Server::start();
    let mut connection = server.connect();
    let mut accepted = 0;
    for (kind, fields) in [
        ("postal_code", &["postal_code"][..]),
        ("phone", &["phone_number"]),
        ("email", &["email_address"]),
        ("name", &["first_name", "last_name"]),
    ] {
        let cases = cases[kind].as_array().unwrap();
        assert!(cases.len() > 20, "{kind}");
        for case in cases {
            for field in fields {
                let response = connection.send(&post(&with(field, case["input"].clone())));
                let expected = if case["valid"] == true { 201 } else { 400 };
                assert_eq!(response.status, expected, "{kind}: {case}: {}", response.text());
                accepted += usize::from(expected == 201);
            }
        }
    }
    assert_eq!(server.stored().len(), accepted);
}
