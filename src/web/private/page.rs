//! Building the responses of private pages. None is compressed: with secrets and a stranger's text in one page, its length
//! would tell of both.

use hyper::{HeaderMap, Response, StatusCode};
use serde::Serialize;

use crate::site::http::response::{self, Body};
use crate::site::private_path::PrivatePath;
use crate::site::templates::PageKind;
use crate::site::templates::context::VisitorPage;
use crate::web::api_error::ApiError;
use crate::web::app::App;

/// Builds a page.
///
/// # Errors
/// When its template is broken, which a test rules out.
pub fn response(
    app: &App,
    status: StatusCode,
    kind: PageKind,
    data: &impl Serialize,
) -> Result<Response<Body>, ApiError> {
    filled(app, status, kind, data, false)
}

/// Builds a visitor's page, which may have the form for photos.
///
/// # Errors
/// As for [`response`].
pub fn visitor(app: &App, status: StatusCode, data: &VisitorPage) -> Result<Response<Body>, ApiError> {
    filled(app, status, PageKind::Visitor, data, data.sends_photos)
}

fn filled(
    app: &App,
    status: StatusCode,
    kind: PageKind,
    data: &impl Serialize,
    sends_photos: bool,
) -> Result<Response<Body>, ApiError> {
    let html = app.site().templates().page(kind, data).map_err(|error| {
        tracing::error!(%error, "a private page cannot be made");
        ApiError::broken()
    })?;
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
