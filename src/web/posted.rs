//! Reading what a page or a program posts.

use std::str::FromStr;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;

use super::api_error::ApiError;
use super::app::App;
use super::body::{BodyError, RequestBody};
use super::same_origin;

/// Media type of a form without files.
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// Reads JSON.
///
/// # Errors
/// When another site has sent it, it is not declared as JSON, or it cannot be read.
pub async fn json(app: &App, parts: &Parts, body: &mut RequestBody) -> Result<Bytes, ApiError> {
    // The body is always read first: a client that is still sending could miss an earlier response.
    let bytes = own(app, parts, body.read().await)?;
    if !is_of_type(&parts.headers, "application/json") {
        return Err(ApiError::not_json());
    }
    Ok(bytes)
}

/// Reads a page's form.
///
/// # Errors
/// When another site has sent it, it is not declared as a form, or it cannot be read.
pub async fn form(app: &App, parts: &Parts, body: &mut RequestBody) -> Result<Bytes, ApiError> {
    own_form(app, parts, body.read().await)
}

/// Takes a body as a form of our own pages.
///
/// # Errors
/// As for [`form`].
pub fn own_form(app: &App, parts: &Parts, body: Result<Bytes, BodyError>) -> Result<Bytes, ApiError> {
    let body = own(app, parts, body)?;
    // Programs declare nothing where they send nothing: that is a form without fields.
    let is_nothing = body.is_empty() && !parts.headers.contains_key(header::CONTENT_TYPE);
    if !is_nothing && !is_of_type(&parts.headers, URLENCODED) {
        return Err(ApiError::not_form());
    }
    Ok(body)
}

fn own(app: &App, parts: &Parts, body: Result<Bytes, BodyError>) -> Result<Bytes, ApiError> {
    if !same_origin::is_allowed(app, parts) {
        return Err(ApiError::cross_site());
    }
    Ok(body?)
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

/// The fields of a form, or of an address behind its question mark.
#[derive(Debug)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads what was sent.
    pub fn of(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    /// Reads the query of an address.
    pub fn of_query(parts: &Parts) -> Self {
        Self::of(parts.uri.query().unwrap_or_default().as_bytes())
    }

    /// Returns the first value of a name, as it was typed.
    pub fn typed(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// Returns the first value of a name, without space around it; `None` if nothing is left.
    pub fn value(&self, name: &str) -> Option<&str> {
        Some(self.typed(name)?.trim()).filter(|value| !value.is_empty())
    }

    /// Parses the first value of a name; `None` if there is none that is understood.
    pub fn parsed<T: FromStr>(&self, name: &str) -> Option<T> {
        self.value(name)?.parse().ok()
    }

    /// Whether a name has this value, among others.
    pub fn has(&self, (name, value): (&str, &str)) -> bool {
        self.0.iter().any(|pair| pair.0 == name && pair.1 == value)
    }
}
