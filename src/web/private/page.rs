//! What a form of a private page has sent, and building the responses. None is compressed: with secrets and a stranger's text in one page, its length
//! would tell of both.

use bytes::Bytes;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Response, StatusCode};
use serde::Serialize;

use super::failure::Failure;
use crate::site::http::response::{self, Body};
use crate::site::private_path::PrivatePath;
use crate::site::templates::context::VisitorPage;
use crate::site::templates::{BrokenTemplate, PageKind};
use crate::web::app::App;
use crate::web::body::BodyError;
use crate::web::posted::is_form;
use crate::web::target;

/// Builds a page.
///
/// # Errors
/// When its template is broken, which a test rules out.
pub fn response(
    app: &App,
    status: StatusCode,
    kind: PageKind,
    data: &impl Serialize,
) -> Result<Response<Body>, BrokenTemplate> {
    filled(app, status, kind, data, false)
}

/// Builds a visitor's page, which may have the form for photos.
///
/// # Errors
/// As for [`response`].
pub fn visitor(app: &App, status: StatusCode, data: &VisitorPage) -> Result<Response<Body>, BrokenTemplate> {
    filled(app, status, PageKind::Visitor, data, data.sends_photos())
}

fn filled(
    app: &App,
    status: StatusCode,
    kind: PageKind,
    data: &impl Serialize,
    sends_photos: bool,
) -> Result<Response<Body>, BrokenTemplate> {
    let html = app.templates.page(kind, data)?;
    let mut response = response::with_type(status, "text/html; charset=utf-8", html);
    add_headers(app, response.headers_mut(), sends_photos);
    Ok(response)
}

/// Sends the browser to a private page after a change, so that loading it again repeats nothing. `query` says what has
/// happened.
pub fn see_other(app: &App, address: &PrivatePath<'_>, query: Option<&str>) -> Response<Body> {
    redirect(app, StatusCode::SEE_OTHER, address, query)
}

/// Sends the browser to the address without a slash at its end.
pub fn moved(app: &App, address: &PrivatePath<'_>, query: Option<&str>) -> Response<Body> {
    redirect(app, StatusCode::MOVED_PERMANENTLY, address, query)
}

/// Builds a response without a body.
pub fn empty(app: &App, status: StatusCode) -> Response<Body> {
    let mut headers = HeaderMap::new();
    add_headers(app, &mut headers, false);
    response::empty(status, headers)
}

fn add_headers(app: &App, headers: &mut HeaderMap, sends_photos: bool) {
    app.security_headers
        .add_for_private_page(headers, app.site().private_inline(), sends_photos);
}

fn redirect(app: &App, status: StatusCode, address: &PrivatePath<'_>, query: Option<&str>) -> Response<Body> {
    let mut response = response::redirect(status, &address.path(), query);
    add_headers(app, response.headers_mut(), false);
    response
}

/// The fields of a form.
#[derive(Debug)]
pub struct Form(Bytes);

impl Form {
    /// Takes the body of a request that one of our own pages has sent.
    ///
    /// # Errors
    /// When another site has sent it, or it is not a form.
    pub fn of_own_page(app: &App, parts: &Parts, body: Result<Bytes, BodyError>) -> Result<Self, Failure> {
        if !target::is_own_page(app, parts) {
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
