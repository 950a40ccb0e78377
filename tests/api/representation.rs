//! The stored record in the response, for clients that request it, such as `@supabase/postgrest-js`.

use serde_json::Value;

use crate::harness::inquiry::post;
use crate::harness::{COLUMNS, Request, Server, record};
use crate::refusing::message;

const OBJECT: &str = "application/vnd.pgrst.object+json";

/// A POST that requests the stored record.
fn request_representation(query: &str) -> Request {
    let mut request = post(&record("Krause")).header("Prefer", "return=representation");
    request.target.push_str(query);
    request
}

fn keys(record: &Value) -> Vec<&str> {
    record.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn responses_are_empty_by_default() {
    let server = Server::start();
    for prefer in [
        "return=minimal",
        "return=headers-only",
        "missing=default",
        "tx=commit",
    ] {
        let response = server.send(&post(&record("Krause")).header("Prefer", prefer));
        assert_eq!((response.status, response.text()), (201, ""), "{prefer}");
    }
    let mut request = post(&record("Krause"));
    request.target.push_str("?select=*");
    let response = server.send(&request);
    assert_eq!(
        (response.status, response.text()),
        (201, ""),
        "select alone asks for nothing"
    );
}

#[test]
fn return_representation_returns_an_array_of_one() {
    let server = Server::start();
    for prefer in [
        "return=representation",
        "missing=default, return=representation",
        "return=representation,tx=commit",
    ] {
        let response = server.send(&post(&record("Krause")).header("Prefer", prefer));
        assert_eq!(response.status, 201, "{prefer}");
        assert!(
            response.expect("content-type").starts_with("application/json"),
            "{prefer}"
        );
        let records = response.json();
        assert_eq!(records.as_array().map(Vec::len), Some(1), "{prefer}");
        assert_eq!(keys(&records[0]), COLUMNS, "{prefer}");
    }
}

#[test]
fn the_representation_matches_the_export() {
    let server = Server::start();
    let response = server.send(&request_representation("?select=*"));
    assert_eq!(response.json(), Value::Array(server.stored()));
}

#[test]
fn the_object_media_type_returns_one_object() {
    let server = Server::start();
    let response = server.send(&request_representation("?select=*").header("Accept", OBJECT));
    assert_eq!(response.status, 201);
    assert!(
        response.expect("content-type").starts_with(OBJECT),
        "{:?}",
        response.headers
    );
    assert_eq!(Value::Array(vec![response.json()]), Value::Array(server.stored()));
}

#[test]
fn columns_can_be_selected() {
    let server = Server::start();
    let columns = |query: &str| -> Vec<String> {
        let records = server.send(&request_representation(query)).json();
        keys(&records[0]).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(columns("?select=id"), ["id"]);
    assert_eq!(columns("?select=id,created_at"), ["id", "created_at"]);
    assert_eq!(columns("?select=id%2Clast_name"), ["id", "last_name"]);
    assert_eq!(columns("?columns=%22id%22&select=*").len(), 10);
    let one = server.send(&request_representation("?select=id").header("Accept", OBJECT));
    assert_eq!(keys(&one.json()), ["id"]);
}

#[test]
fn duplicate_columns_are_returned_once() {
    let server = Server::start();
    for query in ["?select=last_name,last_name", "?select=id,last_name,id"] {
        let response = server.send(&request_representation(query));
        assert_eq!(response.json()[0]["last_name"], "Krause", "{query}");
        assert_ne!(response.json()[0].get("id"), Some(&Value::Null), "{query}");
    }
}

#[test]
fn columns_are_checked_even_if_nothing_is_returned() {
    let server = Server::start();
    for query in ["?select=secret", "?select=*,secret", "?select=,id", "?select=id,"] {
        let mut request = post(&record("Krause"));
        request.target.push_str(query);
        message(&server.send(&request), 400);
        message(&server.send(&request_representation(query)), 400);
    }
    assert!(server.stored().is_empty());
    assert_eq!(
        keys(&server.send(&request_representation("?select=")).json()[0]).len(),
        COLUMNS.len()
    );
    assert_eq!(
        keys(&server.send(&request_representation("?select=id,*")).json()[0]).len(),
        COLUMNS.len()
    );
}

#[test]
fn unknown_columns_are_refused() {
    let server = Server::start();
    for query in [
        "?select=secret",
        "?select=id,secret",
        "?select=id;drop",
        "?select=count()",
    ] {
        message(&server.send(&request_representation(query)), 400);
    }
    assert!(server.stored().is_empty());
}

#[test]
fn reference_numbers_are_unique() {
    let server = Server::start();
    let one = server.store(&record("Krause"));
    let two = server.store(&record("Krause"));
    let reference = |record: &Value| {
        let id = record["id"].as_str().unwrap();
        id[id.len() - 12..].to_owned()
    };
    assert_ne!(reference(&one), reference(&two));
}
