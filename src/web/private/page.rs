//! Building the responses of private pages. None is compressed: with secrets and a stranger's text in one page, its length
//! would tell of both.

use hyper::{HeaderMap, Response, StatusCode};
use serde::Serialize;

use crate::site::http::response::{self, Body};
use crate::site::private_path::PrivatePath;
use crate::site::templates::context::VisitorPage;
use crate::site::templates::{PageKind, context};
use crate::web::api_error::ApiError;
use crate::web::app::App;
use crate::web::limits::client_ip::ClientNetwork;

/// Builds a page.
pub fn response(app: &App, status: StatusCode, kind: PageKind, data: &impl Serialize) -> Response<Body> {
    filled(app, status, kind, data, false)
}

/// Builds a visitor's page, which may have the form for photos.
pub fn visitor(app: &App, status: StatusCode, data: &VisitorPage) -> Response<Body> {
    filled(app, status, PageKind::Visitor, data, data.sends_photos)
}

/// Says why there is no page, or no change. Wrong tokens are counted: whoever sends too many learns no more of them.
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

/// Leads the browser to a private page; `query` says what has happened.
pub fn redirect(
    app: &App,
    status: StatusCode,
    address: &PrivatePath<'_>,
    query: Option<&str>,
) -> Response<Body> {
    complete(app, response::redirect(status, &address.path(), query), false)
}

/// Builds a response without a body.
pub fn empty(app: &App, status: StatusCode) -> Response<Body> {
    complete(app, response::empty(status, HeaderMap::new()), false)
}

/// Fills a template. One that is broken, which a test rules out, leaves a page without a body.
fn filled(
    app: &App,
    status: StatusCode,
    kind: PageKind,
    data: &impl Serialize,
    sends_photos: bool,
) -> Response<Body> {
    match app.site().templates().page(kind, data) {
        Ok(html) => {
            let page = response::with_type(status, "text/html; charset=utf-8", html);
            complete(app, page, sends_photos)
        }
        Err(error) => {
            tracing::error!(%error, "a private page cannot be made");
            empty(app, StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

fn complete(app: &App, mut response: Response<Body>, sends_photos: bool) -> Response<Body> {
    let headers = response.headers_mut();
    app.security_headers
        .add_for_private_page(headers, app.site().private_inline(), sends_photos);
    response
}
