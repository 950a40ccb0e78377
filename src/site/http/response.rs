//! Response constructors, the only place where status, headers and body are combined.

use std::fmt::Display;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};

/// JSON with its charset.
pub const JSON: &str = "application/json; charset=utf-8";

/// Plain text with its charset.
pub const TEXT: &str = "text/plain; charset=utf-8";

/// Body of all public responses, held in memory.
pub type Body = Bytes;

/// Builds a response from its parts.
pub fn response(status: StatusCode, headers: HeaderMap, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Builds a response with this content type.
pub fn with_type(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response<Body> {
    let content_type = HeaderValue::from_static(content_type);
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]);
    response(status, headers, body)
}

/// Builds the response of a rendered page. If its template is broken, which tests rule out, it has no body.
pub fn html(status: StatusCode, rendered: Result<String, impl Display>) -> Response<Body> {
    match rendered {
        Ok(html) => with_type(status, "text/html; charset=utf-8", html),
        Err(error) => {
            tracing::error!(%error, "a page cannot be made");
            empty(StatusCode::INTERNAL_SERVER_ERROR, HeaderMap::new())
        }
    }
}

/// Builds a redirect. The location comes from a request parsed by hyper, from the manifest or from a token, so it is a valid header
/// value.
pub fn redirect(status: StatusCode, path: &str, query: Option<&str>) -> Response<Body> {
    let location = query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let location = HeaderValue::try_from(location).map(|location| (header::LOCATION, location));
    empty(status, HeaderMap::from_iter(location))
}

/// Builds a response without a body.
pub fn empty(status: StatusCode, headers: HeaderMap) -> Response<Body> {
    response(status, headers, Body::default())
}
