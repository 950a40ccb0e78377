//! The rules of an inquiry as JSON Schema (2020-12), for programs that send one. Made from the limits, patterns and
//! options that `parse` goes by.

use serde_json::{Map, Value, json};

use super::choices::{Choice, Location, Problem};
use super::contact::{EMAIL_LIMIT, EMAIL_PATTERN, NAME_LIMIT, NAME_PATTERN, PHONE_LIMIT, PHONE_PATTERN};
use super::place::{POSTAL_CODE_PATTERN, PropertyType};
use super::row::COLUMNS;
use super::time::OLDEST;
use super::wire::FIELDS;

/// Fields that may be left out; a test takes out each of the others.
const OPTIONAL: [&str; 3] = ["created_at", "types_of_problems", "problem_locations"];

/// An inquiry as it is sent.
pub fn sent() -> Value {
    let days = OLDEST.as_hours() / 24;
    let created_at = json!({
        "type": "string",
        "description": format!(
            "When the visitor sent it. Counts if it is an RFC 3339 time, not in the future and not older than {days} \
             days; else the server's time does.",
        ),
        "examples": ["2026-11-01T12:00:00+01:00"],
    });
    let required: Vec<_> = FIELDS
        .into_iter()
        .filter(|name| !OPTIONAL.contains(name))
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

/// An inquiry as it was stored; columns can be selected, so that none is sure to be there.
pub fn stored() -> Value {
    let mut properties = answers();
    properties.insert(
        "id".to_owned(),
        json!({
            "type": "string",
            "format": "uuid",
            "description": "Ids grow in the order in which inquiries were stored.",
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

/// Names of the columns that can be selected, joined by commas.
pub fn selection() -> Value {
    let one = format!("(?:\\*|{})", COLUMNS.join("|"));
    json!({ "type": "string", "pattern": format!("^(?:{one}(?:,{one})*)?$") })
}

/// What a visitor answers.
fn answers() -> Map<String, Value> {
    let kinds = PropertyType::ALL.map(PropertyType::id);
    let name = |example: &str| json!({ "type": "string", "maxLength": NAME_LIMIT, "pattern": NAME_PATTERN, "examples": [example] });
    let fields = [
        (
            "postal_code",
            json!({
                "type": "string",
                "pattern": POSTAL_CODE_PATTERN,
                "description": "Of Hamburg and its surroundings.",
                "examples": ["20095"],
            }),
        ),
        ("property_type", json!({ "type": "string", "enum": kinds })),
        ("types_of_problems", list::<Problem>("What the pigeons do")),
        ("problem_locations", list::<Location>("Where at the building")),
        ("first_name", name("Änne")),
        ("last_name", name("Krause")),
        (
            "email_address",
            json!({
                "type": "string",
                "maxLength": EMAIL_LIMIT,
                "pattern": EMAIL_PATTERN,
                "examples": ["aenne@example.org"],
            }),
        ),
        (
            "phone_number",
            json!({
                "type": "string",
                "maxLength": PHONE_LIMIT,
                "pattern": PHONE_PATTERN,
                "description": "German: +49 or 0 or nothing, then 9 to 13 digits; spaces, hyphens and parentheses do \
                                not count.",
                "examples": ["+49 40 123456-78"],
            }),
        ),
    ];
    fields
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect()
}

/// Option ids joined by commas, each at most once.
fn list<C: Choice>(what: &str) -> Value {
    let ids: Vec<_> = C::ALL.iter().map(|choice| choice.id()).collect();
    let any = format!("(?:{})", ids.join("|"));
    let twice: Vec<_> = ids.iter().map(|id| format!("{id}.*{id}")).collect();
    json!({
        "type": "string",
        "pattern": format!("^(?:{any}(?:,{any}){{0,{}}})?$", ids.len() - 1),
        "not": { "pattern": twice.join("|") },
        "description": format!("{what}: ids out of {}, each at most once, joined by a comma.", ids.join(", ")),
        "examples": [ids.join(",")],
    })
}
