//! Answers that refuse, described by themselves: status, header and example of each come from the answer that is sent.

use std::collections::BTreeMap;

use hyper::StatusCode;
use hyper::header::{self, HeaderName};
use serde_json::{Map, Value, json};

use super::super::api_error::ApiError;
use super::schema_named;

/// Answers by their status.
pub type Answers = Map<String, Value>;

/// What every request can be refused with.
pub fn of_any_request() -> Vec<ApiError> {
    vec![ApiError::bad_request("Host"), ApiError::target_too_long()]
}

/// The same, as references to answers that stand under [`shared`].
pub fn references() -> Answers {
    of_any_request()
        .iter()
        .map(|refusal| {
            let reference = json!({ "$ref": format!("#/components/responses/{}", name(refusal)) });
            (refusal.status().as_str().to_owned(), reference)
        })
        .collect()
}

/// Answers that stand once for all operations, by their names.
pub fn shared() -> Map<String, Value> {
    let mut refusals = of_any_request();
    refusals.push(ApiError::method_not_allowed("GET, HEAD"));
    refusals
        .into_iter()
        .map(|one| (name(&one), refusal(&[one])))
        .collect()
}

/// What the status is called, without the spaces.
fn name(refusal: &ApiError) -> String {
    refusal
        .status()
        .canonical_reason()
        .unwrap_or_default()
        .replace([' ', '-'], "")
}

/// The refusals, one entry for each status.
pub fn by_status(refusals: Vec<ApiError>) -> Answers {
    let mut groups: BTreeMap<StatusCode, Vec<ApiError>> = BTreeMap::new();
    for refusal in refusals {
        groups.entry(refusal.status()).or_default().push(refusal);
    }
    groups
        .into_iter()
        .map(|(status, group)| (status.as_str().to_owned(), refusal(&group)))
        .collect()
}

/// One answer that can have each of these bodies.
fn refusal(refusals: &[ApiError]) -> Value {
    let status = refusals.first().map(ApiError::status).unwrap_or_default();
    let headers: Map<_, _> = refusals
        .iter()
        .filter_map(ApiError::header_name)
        .map(|name| (name.to_string(), described(name)))
        .collect();
    // Of those with one code the first stands for all.
    let mut examples = Map::new();
    for refusal in refusals {
        let body = refusal.body();
        let code = body.get("code").and_then(Value::as_str).unwrap_or_default();
        examples.entry(code).or_insert_with(|| json!({ "value": body }));
    }
    json!({
        "description": status.canonical_reason().unwrap_or_default(),
        "headers": headers,
        "content": { "application/json": { "schema": schema_named("Error"), "examples": examples } },
    })
}

/// A header that an answer always has.
fn described(name: &HeaderName) -> Value {
    let (what, schema) = if *name == header::RETRY_AFTER {
        (
            "Seconds to wait before the next attempt.",
            json!({ "type": "integer", "minimum": 1 }),
        )
    } else {
        ("The methods that are allowed here.", json!({ "type": "string" }))
    };
    json!({ "description": what, "required": true, "schema": schema })
}

/// The body of every refusal.
pub fn error_schema() -> Value {
    let nullable = |what: &str| json!({ "type": ["string", "null"], "description": what });
    json!({
        "type": "object",
        "properties": {
            "code": { "type": "string", "pattern": "^[a-z_]+$", "description": "A stable name for programs." },
            "message": { "type": "string", "minLength": 1, "description": "German, for the visitor." },
            "details": nullable("German, one sentence more."),
            "hint": nullable("English, for whoever wrote the client."),
        },
        "required": ["code", "message", "details", "hint"],
        "additionalProperties": false,
    })
}
