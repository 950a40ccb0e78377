//! What a form of a private page has sent.

use bytes::Bytes;
use hyper::StatusCode;
use hyper::http::request::Parts;

use super::failure::PageFailure;
use crate::web::app::App;
use crate::web::body::BodyError;
use crate::web::posted::is_form;
use crate::web::same_origin;

/// The fields of a form.
#[derive(Debug)]
pub struct PrivateForm(Bytes);

impl PrivateForm {
    /// Takes the body of a request that one of our own pages has sent.
    ///
    /// # Errors
    /// When another site has sent it, or it is not a form.
    pub fn of_own_page(
        app: &App,
        parts: &Parts,
        body: Result<Bytes, BodyError>,
    ) -> Result<Self, PageFailure> {
        if !same_origin::is_allowed(app, parts) {
            return Err(PageFailure::CrossSite);
        }
        let body = body?;
        if !is_form(&parts.headers, &body) {
            return Err(PageFailure::Refused(StatusCode::UNSUPPORTED_MEDIA_TYPE));
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
