//! The description of `POST /rest/v1/inquiries`.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::body::{BodyError, MAX_BODY};
use super::super::preference::ONE_OBJECT;
use super::answers::{Answers, by_status, of_any_request};
use super::schema_named;
use crate::inquiry::{FILL_TIME_HEADER, Rejection, TRAP_HEADER, schema};
use crate::store::{IdempotencyKey, InsertError, KEYS_REMEMBERED};

/// A wait for the example of a client over its limit: at the default of ten inquiries a minute each takes one's place
/// after 6 s.
const EXAMPLE_WAIT: Duration = Duration::from_secs(6);

/// The operation.
pub fn create() -> Value {
    let one = schema_named("Inquiry");
    let body = format!(
        "The inquiry, alone or as the only one of an array; at most {MAX_BODY} bytes of JSON in UTF-8, without a \
         content encoding, each field at most once."
    );
    json!({
        "operationId": "createInquiry",
        "summary": "Send an inquiry",
        "description": "Answered when the inquiry is durably stored, never before. A client may send so many in a \
                        minute; a request that names another site in `Origin` or `Sec-Fetch-Site` is refused.",
        "parameters": parameters(),
        "requestBody": {
            "required": true,
            "description": body,
            "content": {
                "application/json": {
                    "schema": {
                        "oneOf": [{ "type": "array", "items": one, "minItems": 1, "maxItems": 1 }, one],
                    },
                },
            },
        },
        "responses": responses(),
    })
}

fn parameters() -> Value {
    let days = KEYS_REMEMBERED / (24 * 60 * 60 * 1000);
    let only_from_the_form = "Part of what the questionnaire's page reports. Other programs leave it out.";
    json!([
        {
            "name": "select",
            "in": "query",
            "description": "Columns of the representation, joined by commas; `*` and nothing are all.",
            "schema": schema::selection(),
            "examples": { "one": { "value": "id" } },
        },
        {
            "name": "columns",
            "in": "query",
            "description": "Sent by PostgREST clients, and not looked at.",
            "schema": { "type": "string" },
        },
        {
            "name": "Idempotency-Key",
            "in": "header",
            "description": format!(
                "Makes a repetition harmless: for {days} days the same key with the same inquiry gets the same answer, \
                 and one is stored."
            ),
            "schema": {
                "type": "string",
                "minLength": 1,
                "maxLength": IdempotencyKey::LONGEST,
                "pattern": IdempotencyKey::PATTERN,
            },
        },
        {
            "name": "Prefer",
            "in": "header",
            "description": "`return=representation` asks for the stored inquiry; all else is not looked at.",
            "schema": { "type": "string" },
            "examples": { "representation": { "value": "return=representation" } },
        },
        {
            "name": FILL_TIME_HEADER,
            "in": "header",
            "description": only_from_the_form,
            "schema": { "type": "string" },
            "examples": { "minute": { "value": "60000" } },
        },
        { "name": TRAP_HEADER, "in": "header", "description": only_from_the_form, "schema": { "type": "string" } },
    ])
}

fn responses() -> Answers {
    let mut refusals = of_any_request();
    refusals.extend(Rejection::each().into_iter().map(ApiError::from));
    refusals.extend([BodyError::Broken, BodyError::TooSlow, BodyError::TooLarge].map(ApiError::from));
    refusals.extend([InsertError::KeyReused, InsertError::Unavailable].map(ApiError::from));
    refusals.extend([
        ApiError::bad_idempotency_key(),
        ApiError::unknown_column(),
        ApiError::cross_site(),
        ApiError::not_json(),
        ApiError::rate_limited(EXAMPLE_WAIT),
    ]);
    let mut answers = by_status(refusals);
    answers.insert("201".to_owned(), created());
    answers
}

fn created() -> Value {
    let one = schema_named("StoredInquiry");
    json!({
        "description": "Stored. The body is empty, and has no type, unless `Prefer` asked for the representation.",
        "headers": {
            "Preference-Applied": {
                "description": "Sent with the representation.",
                "schema": { "const": "return=representation" },
            },
        },
        "content": {
            "application/json": { "schema": { "type": "array", "items": one, "minItems": 1, "maxItems": 1 } },
            // What `Accept` has to name.
            ONE_OBJECT: { "schema": one },
        },
    })
}
