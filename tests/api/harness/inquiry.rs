//! Valid inquiries, which tests may then make invalid.

use serde_json::{Value, json};

use super::Request;

/// The path that inquiries are posted to.
pub const INQUIRIES: &str = "/rest/v1/inquiries";

/// The columns of an export, in order.
pub const EXPORT_COLUMNS: [&str; 15] = [
    "id",
    "created_at",
    "postal_code",
    "property_type",
    "types_of_problems",
    "problem_locations",
    "first_name",
    "last_name",
    "email_address",
    "phone_number",
    "state",
    "accepted_by",
    "addition",
    "accepted_names",
    "accepted_at",
];

/// The columns of an inquiry, in order.
pub const COLUMNS: &[&str] = EXPORT_COLUMNS.split_at(10).0;

/// An exported inquiry without its outcome: the record as the API returns it.
pub fn without_outcome(mut exported: Value) -> Value {
    let columns = exported.as_object_mut().unwrap();
    for outcome in &EXPORT_COLUMNS[COLUMNS.len()..] {
        assert!(
            columns.remove(*outcome).is_some_and(|value| value.is_string()),
            "{outcome}"
        );
    }
    exported
}

/// A valid inquiry of the person with this last name.
pub fn record(last_name: &str) -> Value {
    json!({
        "created_at": jiff::Timestamp::now().to_string(),
        "postal_code": "20095",
        "property_type": "residential",
        "types_of_problems": "nesting,droppings",
        "problem_locations": "balcony,roof",
        "first_name": "Änne",
        "last_name": last_name,
        "email_address": "aenne@example.org",
        "phone_number": "+49 40 123456-78",
    })
}

pub fn with(field: &str, value: impl Into<Value>) -> Value {
    let mut record = record("Krause");
    record[field] = value.into();
    record
}

pub fn without(field: &str) -> Value {
    let mut record = record("Krause");
    record.as_object_mut().unwrap().remove(field);
    record
}

/// A POST of one record, as the questionnaire sends it.
pub fn post(record: &Value) -> Request {
    post_bytes(json!([record]).to_string())
}

/// A POST of arbitrary bytes, declared as JSON.
pub fn post_bytes(body: impl Into<Vec<u8>>) -> Request {
    Request::new("POST", INQUIRIES)
        .header("Content-Type", "application/json")
        .body(body)
}

/// An inquiry with the longest texts that visitors may enter.
pub fn large() -> Value {
    let mut large = record(&"🕊".repeat(100));
    large["first_name"] = "🕊".repeat(100).into();
    let host = format!("{0}.{0}.{1}.example.org", "a".repeat(63), "b".repeat(49));
    large["email_address"] = format!("{}@{host}", "c".repeat(64)).into();
    large
}
