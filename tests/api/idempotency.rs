//! `Idempotency-Key`: a repeated POST is harmless (`docs/behaviour.md`, "Repeated requests").

use std::collections::HashSet;

use serde_json::Value;

use crate::harness::inquiry::{post, post_bytes, with};
use crate::harness::{Request, Response, Server, Setup, record};
use crate::refusing::message;

fn keyed(record: &Value, key: &str) -> Request {
    post(record)
        .header("Idempotency-Key", key)
        .header("Prefer", "return=representation")
}

fn id(response: &Response) -> String {
    assert_eq!(response.status, 201, "{}", response.text());
    response.json()[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn the_same_key_gives_the_same_answer_and_one_record() {
    let server = Server::start();
    let request = keyed(&record("Krause"), "8e03978e-40d5-43dd-bc93-6894a57f9324");
    let first = server.send(&request);
    for _ in 0..3 {
        let again = server.send(&request);
        assert_eq!((again.status, again.text()), (first.status, first.text()));
    }
    assert_eq!(server.stored(), *first.json().as_array().unwrap());
}

#[test]
fn the_time_of_the_first_request_stays_when_the_server_gave_it() {
    let server = Server::start();
    let request = keyed(&crate::harness::inquiry::without("created_at"), "key");
    let first = server.send(&request);
    assert_eq!(server.send(&request).text(), first.text());
}

#[test]
fn the_same_key_with_another_body_is_refused() {
    let server = Server::start();
    let first = record("Krause");
    assert_eq!(server.send(&keyed(&first, "key")).status, 201);
    for field in ["first_name", "last_name", "phone_number"] {
        let mut other = first.clone();
        other[field] = if field == "phone_number" {
            "040 99999999"
        } else {
            "Anders"
        }
        .into();
        message(&server.send(&keyed(&other, "key")), 422);
    }
    let mut fewer = first.clone();
    fewer["types_of_problems"] = "".into();
    message(&server.send(&keyed(&fewer, "key")), 422);
    assert_eq!(server.stored().len(), 1);
    assert_eq!(
        server.send(&keyed(&first, "key")).status,
        201,
        "the first one still counts"
    );
}

#[test]
fn the_same_key_with_other_additions_is_refused_and_not_taken_for_a_repetition() {
    let server = Server::start();
    let first = record("Krause");
    let with = |additions: &str| keyed(&first, "key").header("Form-Additions", additions);
    let stored = server.send(&with("Problem%3A%20Federn"));
    assert_eq!(stored.status, 201, "{}", stored.text());
    for other in [keyed(&first, "key"), with("Problem%3A%20Eier%20im%20Schacht")] {
        message(&server.send(&other), 422);
    }
    let again = server.send(&with("Problem%3A%20Federn"));
    assert_eq!(id(&again), id(&stored));
    let page = server.get(again.expect("location"));
    assert!(page.text().contains("Problem: Federn"), "{}", page.text());
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn other_keys_are_other_inquiries() {
    let server = Server::start();
    let record = record("Krause");
    let ids: HashSet<String> = ["a", "A", "b", "a-", "\"a\""]
        .iter()
        .map(|key| id(&server.send(&keyed(&record, key))))
        .collect();
    assert_eq!(ids.len(), 5);
    assert_eq!(server.stored().len(), 5);
}

#[test]
fn a_key_survives_restarts_and_power_cuts() {
    let server = Server::start();
    let request = keyed(&record("Krause"), "key");
    let first = id(&server.send(&request));
    let server = server.restart();
    assert_eq!(id(&server.send(&request)), first);
    let server = server.kill().start();
    assert_eq!(id(&server.send(&request)), first);
    message(&server.send(&keyed(&record("Anders"), "key")), 422);
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn a_refused_inquiry_does_not_burn_its_key() {
    let server = Server::start();
    message(&server.send(&keyed(&with("postal_code", "1"), "key")), 400);
    message(
        &server.send(&post_bytes("{").header("Idempotency-Key", "key")),
        400,
    );
    let strange = keyed(&record("Anders"), "key").header("Origin", "https://evil.example");
    message(&server.send(&strange), 403);
    assert_eq!(server.send(&keyed(&record("Krause"), "key")).status, 201);
    assert_eq!(server.stored().len(), 1);
}

#[test]
fn a_limited_inquiry_does_not_burn_its_key() {
    let setup = Setup::bare().args(&["--rate-limit", "1"]);
    let server = setup.start();
    assert_eq!(server.post(&record("Erste")).status, 201);
    message(&server.send(&keyed(&record("Krause"), "key")), 429);
    // The restart resets the limit. If the key were stored, the other record would get a 422.
    let server = server.restart();
    let mut other = server.connect_as(1);
    assert_eq!(other.send(&keyed(&record("Anders"), "key")).status, 201);
    assert_eq!(server.stored().len(), 2);
}

#[test]
fn keys_that_cannot_be_read_are_refused() {
    let server = Server::start();
    let too_long = "k".repeat(256);
    for key in ["", " ", "a b", "schlüssel", "a\tb", too_long.as_str()] {
        message(&server.send(&keyed(&record("Krause"), key)), 400);
    }
    message(
        &server.send(&keyed(&record("Krause"), "a").header("Idempotency-Key", "b")),
        400,
    );
    assert!(server.stored().is_empty());
    assert_eq!(
        server.send(&keyed(&record("Krause"), &"k".repeat(255))).status,
        201
    );
}

#[test]
fn a_repetition_may_ask_for_another_form() {
    let server = Server::start();
    let record = record("Krause");
    let first = server.send(&post(&record).header("Idempotency-Key", "key"));
    assert_eq!((first.status, first.text()), (201, ""));
    let again = server.send(&keyed(&record, "key"));
    assert_eq!(Value::Array(server.stored()), again.json());
}
