//! Responses of private pages. They are never compressed: a page contains both secrets and text from others, and its compressed
//! length would leak the secrets.

use hyper::{HeaderMap, Response, StatusCode};
use serde::Serialize;

use crate::site::http::response::{self, Body};
use crate::site::private_path::PrivatePath;
use crate::site::templates::context::VisitorPage;
use crate::site::templates::{PageKind, context};
use crate::web::api_error::ApiError;
use crate::web::app::App;
use crate::web::limits::client_ip::ClientNetwork;

/// Renders a page.
pub fn response(app: &App, status: StatusCode, kind: PageKind, data: &impl Serialize) -> Response<Body> {
    let rendered = app.site().templates().page(kind, data);
    complete(app, response::html(status, rendered), false)
}

/// Renders a visitor's page, whose security headers depend on whether it has the form for photos.
pub fn visitor(app: &App, status: StatusCode, data: &VisitorPage) -> Response<Body> {
    let rendered = app.site().templates().page(PageKind::Visitor, data);
    complete(app, response::html(status, rendered), data.sends_photos)
}

/// Renders the reason why there is no page or no change. Counts wrong tokens, so that a client that guesses too many learns nothing
/// more.
pub fn refused(app: &App, client: ClientNetwork, mut error: ApiError) -> Response<Body> {
    if error.is_guess()
        && let Err(limited) = app.count_guess(client)
    {
        error = limited;
    }
    let kind = match error.status() {
        StatusCode::NOT_FOUND => PageKind::Gone,
        StatusCode::TOO_MANY_REQUESTS => PageKind::Limited,
        StatusCode::SERVICE_UNAVAILABLE => PageKind::Unavailable,
        _ => PageKind::Refused,
    };
    let mut page = response(app, error.status(), kind, &context! {});
    error.complete(&mut page);
    page
}

/// Redirects to a private page after a change, with a query that says what has happened.
pub fn redirect(app: &App, address: &PrivatePath<'_>, query: Option<&str>) -> Response<Body> {
    let redirect = response::redirect(StatusCode::SEE_OTHER, &address.path(), query);
    complete(app, redirect, false)
}

/// A response without a body.
pub fn empty(app: &App, status: StatusCode) -> Response<Body> {
    complete(app, response::empty(status, HeaderMap::new()), false)
}

/// Adds the headers of a private page.
pub fn complete(app: &App, mut response: Response<Body>, sends_photos: bool) -> Response<Body> {
    let headers = response.headers_mut();
    let site = app.site();
    let inline = &site.manifest.private.inline;
    app.security_headers
        .add_for_private_page(headers, inline, sends_photos);
    response
}
