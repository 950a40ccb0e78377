//! The rules of an inquiry as JSON Schema (2020-12), for programs that send one. Made from the limits, patterns and
//! options that `parse` goes by.

use serde_json::{Map, Value, json};

use super::fields::{ANSWERS, COLUMNS};
use super::time::CREDIBLE;

/// Describes an inquiry as it is sent.
pub fn sent() -> Value {
    let days = CREDIBLE.as_hours() / 24;
    let created_at = json!({
        "type": "string",
        "description": format!(
            "When the visitor sent it. Counts if it is an RFC 3339 time, not in the future and not older than {days} \
             days; else the server's time does.",
        ),
        "examples": ["2026-11-01T12:00:00+01:00"],
    });
    let required: Vec<_> = ANSWERS
        .iter()
        .filter(|field| field.is_required)
        .map(|field| field.name)
        .collect();
    let mut properties = answers();
    properties.insert("created_at".to_owned(), created_at);
    json!({
        "type": "object",
        "description": "Texts are taken without the white space at their ends; the limits are those of what is left.",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Describes an inquiry as it was stored. Columns can be selected, so none of them is required.
pub fn stored() -> Value {
    let mut properties = answers();
    properties.insert(
        "id".to_owned(),
        json!({
            "type": "string",
            "format": "uuid",
            "description": "A UUIDv7 of the time at which the inquiry was stored.",
        }),
    );
    properties.insert(
        "created_at".to_owned(),
        json!({
            "type": "string",
            "format": "date-time",
            "description": "In UTC, in milliseconds.",
        }),
    );
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Describes the names of selected columns, joined by commas.
pub fn selection() -> Value {
    let one = format!("(?:\\*|{})", COLUMNS.join("|"));
    json!({ "type": "string", "pattern": format!("^(?:{one}(?:,{one})*)?$") })
}

/// What a visitor answers.
fn answers() -> Map<String, Value> {
    let described = ANSWERS.iter().map(|field| {
        let mut schema = (field.schema)();
        if let Some(schema) = schema.as_object_mut()
            && !field.example.is_empty()
        {
            schema.insert("examples".to_owned(), json!([field.example]));
        }
        (field.name.to_owned(), schema)
    });
    described.collect()
}
