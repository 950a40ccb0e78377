//! The description of the API agrees with the code: limits, schemas and errors.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::Timestamp;
use regex::Regex;
use serde_json::{Value, json};
use taubenabwehr::domain::inquiry::{
    ANSWERS, COLUMNS, CREDIBLE, Choice as _, EmailAddress, FILL_TIME_HEADER, Location, NewInquiry, Problem,
    PropertyType, SENT_NAMES, TRAP_HEADER, limits,
};
use taubenabwehr::domain::referral::MAX_ADDITION;
use taubenabwehr::operate::funnel::STEPS;
use taubenabwehr::server::limits::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS};
use taubenabwehr::site;
use taubenabwehr::store::{IdempotencyKey, InsertError, KEYS_REMEMBERED, Unavailable};
use taubenabwehr::web::api_error::ApiError;
use taubenabwehr::web::body::{BodyError, MAX_BODY};
use taubenabwehr::web::inquiries::{ADDITIONS_HEADER, CONSENT_HEADER};
use taubenabwehr::web::preference::ONE_OBJECT;
use taubenabwehr::web::target::MAX_TARGET;

const DAY: u64 = 24 * 60 * 60 * 1000;

fn document() -> Value {
    serde_json::from_str(site::OPENAPI).unwrap()
}

fn operation(document: &Value) -> &Value {
    &document["paths"]["/rest/v1/inquiries"]["post"]
}

/// Every error that a POST to the API can cause.
fn errors() -> Vec<ApiError> {
    let mut errors = vec![
        ApiError::bad_host(),
        ApiError::target_too_long(MAX_TARGET),
        ApiError::cross_site(),
        ApiError::not_json(),
    ];
    errors.extend([BodyError::Broken, BodyError::TooSlow, BodyError::TooLarge].map(ApiError::from));
    errors
}

/// Every error that a POST of an inquiry can cause.
fn errors_of_an_inquiry() -> Vec<ApiError> {
    let wrong = |body: &str| NewInquiry::parse(body.as_bytes(), Timestamp::now()).unwrap_err();
    let mut errors: Vec<ApiError> = ["{", "[]"].map(|body| wrong(body).into()).into();
    let right = json!({
        "postal_code": "20095",
        "property_type": "residential",
        "first_name": "A",
        "last_name": "B",
        "email_address": "a@example.org",
        "phone_number": "0401234567",
    });
    // One request with an empty name, and for each field one with an invalid text.
    let mut missing = right.clone();
    missing["first_name"] = "".into();
    errors.push(wrong(&missing.to_string()).into());
    for field in &ANSWERS {
        let mut record = right.clone();
        record[field.name] = "\0".into();
        errors.push(wrong(&record.to_string()).into());
    }
    errors.extend(self::errors());
    errors.extend([InsertError::KeyReused, InsertError::Unavailable(Unavailable)].map(ApiError::from));
    errors.extend([
        ApiError::bad_idempotency_key(),
        ApiError::bad_form_header(),
        ApiError::unknown_column(),
        ApiError::rate_limited(Duration::from_secs(1)),
    ]);
    errors
}

/// Every error that a newsletter request can cause.
fn errors_of_the_newsletter() -> Vec<ApiError> {
    let mut errors = errors();
    errors.extend([
        ApiError::malformed("email"),
        EmailAddress::error().into(),
        ApiError::not_found(),
        ApiError::rate_limited(Duration::from_secs(1)),
        ApiError::subscription_unavailable(),
    ]);
    errors
}

/// Every error that counting a step can cause.
fn errors_of_a_step() -> Vec<ApiError> {
    let mut errors = errors();
    errors.push(ApiError::malformed("step"));
    errors
}

/// Asserts that a response lists the headers and bodies of exactly these errors.
fn assert_describes(response: &Value, errors: &[&ApiError]) {
    let listed = &response["content"]["application/json"];
    assert_eq!(listed["schema"]["$ref"], "#/components/schemas/Error");
    let mut bodies = BTreeMap::new();
    let mut headers = BTreeSet::new();
    for error in errors {
        let body = serde_json::to_value(error.body()).unwrap();
        // If several errors share a code, the first one is the example.
        bodies
            .entry(error.body().code)
            .or_insert(json!({ "value": body }));
        let mut page = hyper::Response::default();
        error.complete(&mut page);
        headers.extend(page.headers().keys().map(ToString::to_string));
    }
    assert_eq!(listed["examples"], json!(bodies));
    let described: BTreeSet<String> = response["headers"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(described, headers);
}

#[test]
fn every_error_is_described() {
    let document = document();
    for (path, success, errors) in [
        ("/rest/v1/inquiries", "201", errors_of_an_inquiry()),
        ("/rest/v1/newsletter", "202", errors_of_the_newsletter()),
        ("/rest/v1/steps", "204", errors_of_a_step()),
    ] {
        let responses = &document["paths"][path]["post"]["responses"];
        let mut by_status: BTreeMap<&str, Vec<&ApiError>> = BTreeMap::new();
        let statuses: Vec<_> = errors.iter().map(ApiError::status).collect();
        for (error, status) in errors.iter().zip(&statuses) {
            by_status.entry(status.as_str()).or_default().push(error);
        }
        let described = responses.as_object().unwrap().keys().map(String::as_str);
        let described: BTreeSet<&str> = described.collect();
        let expected: BTreeSet<&str> = by_status.keys().copied().chain([success]).collect();
        assert_eq!(described, expected, "{path}");
        for (status, errors) in by_status {
            assert_describes(&responses[status], &errors);
        }
    }
}

#[test]
fn shared_responses_match_the_code() {
    let document = document();
    let responses = &document["components"]["responses"];
    for (name, error) in [
        ("BadRequest", ApiError::bad_host()),
        ("URITooLong", ApiError::target_too_long(MAX_TARGET)),
        ("MethodNotAllowed", ApiError::method_not_allowed("GET, HEAD")),
    ] {
        assert_describes(&responses[name], &[&error]);
    }
}

#[test]
fn limits_match_the_code() {
    let document = document();
    let introduction = document["info"]["description"].as_str().unwrap();
    let head = format!("{} KiB or {MAX_HEAD_FIELDS} fields", MAX_HEAD_BYTES / 1024);
    assert!(introduction.contains(&head), "{introduction}");

    let body = operation(&document)["requestBody"]["description"]
        .as_str()
        .unwrap();
    assert!(body.contains(&format!("at most {MAX_BODY} bytes")), "{body}");

    let parameters = operation(&document)["parameters"].as_array().unwrap();
    let parameter = |name: &str| {
        parameters
            .iter()
            .find(|parameter| parameter["name"] == name)
            .unwrap_or_else(|| panic!("{name} is not described"))
    };
    parameter(FILL_TIME_HEADER);
    parameter(TRAP_HEADER);
    parameter(CONSENT_HEADER);
    let additions = parameter(ADDITIONS_HEADER)["description"].as_str().unwrap();
    assert!(additions.contains(&format!("at most {MAX_ADDITION} characters")));
    let selection = Regex::new(parameter("select")["schema"]["pattern"].as_str().unwrap()).unwrap();
    assert!(selection.is_match(&COLUMNS.join(",")) && selection.is_match("*") && selection.is_match(""));
    assert!(!selection.is_match("secret"));
    let key = parameter("Idempotency-Key");
    let days = format!("for {} days", KEYS_REMEMBERED / DAY);
    assert!(key["description"].as_str().unwrap().contains(&days), "{key}");
    assert_eq!(key["schema"]["maxLength"], IdempotencyKey::LONGEST);
    assert_eq!(key["schema"]["pattern"], IdempotencyKey::PATTERN);
}

#[test]
fn schemas_match_the_code() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let properties = |name: &str| schemas[name]["properties"].as_object().unwrap();
    let names = |name| {
        properties(name)
            .keys()
            .map(String::as_str)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(names("Inquiry"), BTreeSet::from(SENT_NAMES));
    assert_eq!(names("StoredInquiry"), BTreeSet::from(COLUMNS));
    let ids = |name: &str| properties(name)["property_type"]["enum"].clone();
    let kinds: Vec<_> = PropertyType::ALL.iter().map(|kind| kind.id()).collect();
    assert_eq!(
        [ids("Inquiry"), ids("StoredInquiry")],
        [json!(kinds), json!(kinds)]
    );
    for field in ANSWERS.iter().map(|field| field.name) {
        assert_eq!(
            properties("StoredInquiry")[field],
            properties("Inquiry")[field],
            "{field}"
        );
    }
    for (field, all) in [
        ("types_of_problems", Problem::join(Problem::ALL)),
        ("problem_locations", Location::join(Location::ALL)),
    ] {
        assert_eq!(properties("Inquiry")[field]["examples"], json!([all]));
    }
    for (field, limit) in [
        ("first_name", limits::NAME),
        ("last_name", limits::NAME),
        ("email_address", limits::EMAIL),
        ("phone_number", limits::PHONE),
    ] {
        assert_eq!(properties("Inquiry")[field]["maxLength"], limit, "{field}");
    }
    let created_at = properties("Inquiry")["created_at"]["description"]
        .as_str()
        .unwrap();
    let days = format!("not older than {} days", CREDIBLE.as_hours() / 24);
    assert!(created_at.contains(&days), "{created_at}");
    let posted = |path: &str| {
        let body = &document["paths"][path]["post"]["requestBody"];
        let description = body["description"].as_str().unwrap();
        assert!(
            description.contains(&format!("{MAX_BODY} bytes")),
            "{description}"
        );
        &body["content"]["application/json"]["schema"]["properties"]
    };
    assert_eq!(
        posted("/rest/v1/newsletter")["email"],
        properties("Inquiry")["email_address"]
    );
    assert_eq!(posted("/rest/v1/steps")["step"]["maximum"], STEPS - 1);
    let created = &operation(&document)["responses"]["201"]["content"];
    assert!(created.get(ONE_OBJECT).is_some());
}

#[test]
fn every_document_of_the_site_is_described() {
    let document = document();
    for site::Document {
        path, content_type, ..
    } in site::DOCUMENTS
    {
        let media_type = content_type.split(';').next().unwrap();
        let content = &document["paths"][path]["get"]["responses"]["200"]["content"];
        assert!(content.get(media_type).is_some(), "{path}: {content}");
    }
}
