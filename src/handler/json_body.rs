//! Reading the JSON that a page or a program posts to the API.

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;

use super::api_error::ApiError;
use super::app::App;
use super::body::RequestBody;
use super::{same_origin, target};

/// Reads the body of a POST.
///
/// # Errors
/// When another site has sent it, it is not declared as JSON, or it cannot be read.
pub async fn read(app: &App, parts: &Parts, body: &mut RequestBody) -> Result<Bytes, ApiError> {
    // The body is always read first: a client that is still sending could miss an earlier response.
    let bytes = body.read().await;
    let headers = &parts.headers;
    if !same_origin::is_allowed(headers, target::host(parts), &app.origin) {
        return Err(ApiError::cross_site());
    }
    if !is_json(headers) {
        return Err(ApiError::not_json());
    }
    Ok(bytes?)
}

fn is_json(headers: &HeaderMap) -> bool {
    let is_identity = headers
        .get(header::CONTENT_ENCODING)
        .is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let essence = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    is_identity && essence.trim().eq_ignore_ascii_case("application/json")
}
