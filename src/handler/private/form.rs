//! What a form of a private page has sent.

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::StatusCode;
use hyper::header;
use hyper::http::request::Parts;

use super::failure::Failure;
use crate::handler::app::App;
use crate::handler::body::BodyError;
use crate::handler::{same_origin, target};

/// Media type of a form without files.
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// The fields of a form.
#[derive(Debug)]
pub struct Form(Bytes);

impl Form {
    /// Takes the body of a request that one of our own pages has sent.
    ///
    /// # Errors
    /// When another site has sent it, or it is not a form.
    pub fn of_own_page(app: &App, parts: &Parts, body: Result<Bytes, BodyError>) -> Result<Self, Failure> {
        if !same_origin::is_allowed(&parts.headers, target::host(parts), &app.origin) {
            return Err(Failure::Refused(StatusCode::FORBIDDEN));
        }
        let body = body?;
        if !is_form(&parts.headers) {
            return Err(Failure::Refused(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        }
        Ok(Self(body))
    }

    /// Returns the first value of a field.
    pub fn value(&self, name: &str) -> Option<String> {
        let mut fields = form_urlencoded::parse(&self.0);
        let (_, value) = fields.find(|(field, _)| field == name)?;
        Some(value.into_owned())
    }
}

fn is_form(headers: &HeaderMap) -> bool {
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
