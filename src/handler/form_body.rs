//! Reading what a page's form posts.

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;

use super::api_error::ApiError;
use super::app::App;
use super::body::RequestBody;
use super::{same_origin, target};

/// Media type of a form without files.
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// Reads the body of a POST.
///
/// # Errors
/// When another site has sent it, it is not declared as a form, or it cannot be read.
pub async fn read(app: &App, parts: &Parts, body: &mut RequestBody) -> Result<Bytes, ApiError> {
    // The body is always read first: a client that is still sending could miss an earlier response.
    let bytes = body.read().await;
    if !same_origin::is_allowed(&parts.headers, target::host(parts), &app.origin) {
        return Err(ApiError::cross_site());
    }
    if !is_form(&parts.headers) {
        return Err(ApiError::not_form());
    }
    Ok(bytes?)
}

/// Returns whether a body is declared as a form without files.
pub fn is_form(headers: &HeaderMap) -> bool {
    let is_identity = headers
        .get(header::CONTENT_ENCODING)
        .is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    is_identity && media_type(headers).eq_ignore_ascii_case(URLENCODED)
}

/// Returns the media type of a body, without parameters.
pub fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim()
}
