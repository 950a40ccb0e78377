//! Valid inquiries, to be spoilt by the tests.

use serde_json::{Value, json};

use super::Request;

/// Where inquiries are posted.
pub const INQUIRIES: &str = "/rest/v1/inquiries";

/// Columns of an export, in order.
pub const COLUMNS: [&str; 10] = [
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
];

/// A valid inquiry of this person.
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

/// A valid inquiry with one field changed.
pub fn with(field: &str, value: impl Into<Value>) -> Value {
    let mut record = record("Krause");
    record[field] = value.into();
    record
}

/// A valid inquiry without one field.
pub fn without(field: &str) -> Value {
    let mut record = record("Krause");
    record.as_object_mut().unwrap().remove(field);
    record
}

/// The POST of one record, as the questionnaire sends it.
pub fn post(record: &Value) -> Request {
    post_bytes(json!([record]).to_string())
}

/// A POST of any bytes that claim to be JSON.
pub fn post_bytes(body: impl Into<Vec<u8>>) -> Request {
    Request::new("POST", INQUIRIES)
        .header("Content-Type", "application/json")
        .body(body)
}
