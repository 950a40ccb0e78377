//! Reading what a page or a program posts.

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;

use super::api_error::ApiError;
use super::app::App;
use super::body::RequestBody;
use super::same_origin;

/// Media type of a form without files.
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// Reads JSON.
///
/// # Errors
/// When another site has sent it, it is not declared as JSON, or it cannot be read.
pub async fn json(app: &App, parts: &Parts, body: &mut RequestBody) -> Result<Bytes, ApiError> {
    let is_json = |headers: &HeaderMap, _: &Bytes| is_of_type(headers, "application/json");
    read(app, parts, body, is_json, ApiError::not_json).await
}

/// Reads a page's form.
///
/// # Errors
/// When another site has sent it, it is not declared as a form, or it cannot be read.
pub async fn form(app: &App, parts: &Parts, body: &mut RequestBody) -> Result<Bytes, ApiError> {
    read(app, parts, body, is_form, ApiError::not_form).await
}

async fn read(
    app: &App,
    parts: &Parts,
    body: &mut RequestBody,
    is_right: fn(&HeaderMap, &Bytes) -> bool,
    wrong_type: fn() -> ApiError,
) -> Result<Bytes, ApiError> {
    // The body is always read first: a client that is still sending could miss an earlier response.
    let bytes = body.read().await;
    if !same_origin::is_allowed(app, parts) {
        return Err(ApiError::cross_site());
    }
    let bytes = bytes?;
    if !is_right(&parts.headers, &bytes) {
        return Err(wrong_type());
    }
    Ok(bytes)
}

/// Returns whether a body is declared as a form without files. Programs declare nothing where they send nothing: that is a form
/// without fields.
pub fn is_form(headers: &HeaderMap, body: &Bytes) -> bool {
    is_of_type(headers, URLENCODED) || (body.is_empty() && !headers.contains_key(header::CONTENT_TYPE))
}

fn is_of_type(headers: &HeaderMap, expected: &str) -> bool {
    let is_identity = headers
        .get(header::CONTENT_ENCODING)
        .is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    is_identity && media_type(headers).eq_ignore_ascii_case(expected)
}

/// Returns the media type of a body, without parameters.
pub fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim()
}
