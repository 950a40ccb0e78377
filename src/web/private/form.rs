//! What a form of a private page has sent.

use bytes::Bytes;
use hyper::StatusCode;
use hyper::http::request::Parts;

use super::failure::Failure;
use crate::web::app::App;
use crate::web::body::BodyError;
use crate::web::posted::is_form;
use crate::web::same_origin;

/// The fields of a form.
#[derive(Debug)]
pub struct Form(Bytes);

impl Form {
    /// Takes the body of a request that one of our own pages has sent.
    ///
    /// # Errors
    /// When another site has sent it, or it is not a form.
    pub fn of_own_page(app: &App, parts: &Parts, body: Result<Bytes, BodyError>) -> Result<Self, Failure> {
        if !same_origin::is_allowed(app, parts) {
            return Err(Failure::CrossSite);
        }
        let body = body?;
        if !is_form(&parts.headers, &body) {
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
