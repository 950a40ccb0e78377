//! Accepted inquiries and how they are stored (`docs/behaviour.md`, "The inquiry API").

use serde_json::json;

use crate::harness::inquiry::{post, post_bytes};
use crate::harness::{Server, record};

#[test]
fn an_array_of_one_record_is_stored() {
    let server = Server::start();
    let sent = record("Krause");
    let response = server.post(&sent);
    assert_eq!(response.status, 201, "{}", response.text());
    assert!(response.body.is_empty(), "{}", response.text());
    let stored = server.stored();
    assert_eq!(stored.len(), 1);
    for (field, value) in sent.as_object().unwrap() {
        if field != "created_at" {
            assert_eq!(&stored[0][field], value, "{field}");
        }
    }
}

#[test]
fn a_bare_object_is_accepted() {
    let server = Server::start();
    let response = server.send(&post_bytes(record("Krause").to_string()));
    assert_eq!(response.status, 201, "{}", response.text());
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn inquiry_responses_are_never_cached() {
    let server = Server::start();
    assert_eq!(server.post(&record("Krause")).expect("cache-control"), "no-store");
    assert_eq!(server.post(&json!({})).expect("cache-control"), "no-store");
}

#[test]
fn text_is_trimmed_and_otherwise_stored_verbatim() {
    let server = Server::start();
    let mut sent = record("x");
    for (field, typed) in [
        ("postal_code", "\u{a0}22999\r\n"),
        ("first_name", "\u{feff}  Änne  Luise\t"),
        ("last_name", "\u{3000}von Größenwahn-Ñandú 🕊\u{200b} "),
        ("email_address", " Änne@Example.ORG\n"),
        ("phone_number", "  (040)  123-456 78 "),
    ] {
        sent[field] = typed.into();
    }
    let stored = server.store(&sent);
    assert_eq!(stored["postal_code"], "22999");
    assert_eq!(stored["first_name"], "Änne  Luise");
    assert_eq!(stored["last_name"], "von Größenwahn-Ñandú 🕊\u{200b}");
    assert_eq!(stored["email_address"], "Änne@Example.ORG");
    assert_eq!(stored["phone_number"], "(040)  123-456 78");
    assert_eq!(server.stored(), [stored]);
}

#[test]
fn duplicates_without_a_key_are_stored_twice() {
    let server = Server::start();
    let sent = record("Krause");
    assert_eq!(server.post(&sent).status, 201);
    assert_eq!(server.post(&sent).status, 201);
    assert_eq!(server.stored().len(), 2);
}

#[test]
fn postgrest_parameters_are_tolerated() {
    let server = Server::start();
    let columns = "%22created_at%22%2C%22postal_code%22";
    let mut request = post(&record("Krause"))
        .header("apikey", "anon")
        .header("Authorization", "Bearer anon")
        .header("Content-Profile", "public")
        .header("X-Client-Info", "postgrest-js/1.0")
        .header("Prefer", "return=minimal");
    request.target.push_str("?columns=");
    request.target.push_str(columns);
    let response = server.send(&request);
    assert_eq!((response.status, response.text()), (201, ""));
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn fields_at_their_limits_are_accepted() {
    let server = Server::start();
    let mut sent = record(&"ß".repeat(100));
    sent["first_name"] = "🕊".repeat(100).into();
    sent["email_address"] = format!(
        "{}@{1}.{1}.{2}.org",
        "e".repeat(64),
        "x".repeat(63),
        "y".repeat(57)
    )
    .into();
    sent["phone_number"] = format!("040{}1234567", "-".repeat(90)).into();
    let stored = server.store(&sent);
    for field in ["last_name", "first_name", "email_address", "phone_number"] {
        assert_eq!(stored[field], sent[field], "{field}");
    }
}
