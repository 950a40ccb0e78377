//! Building responses: the one place where status, headers and body come together.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};

/// Body of every public response.
pub type Body = Full<Bytes>;

/// JSON, with its charset.
pub const JSON: &str = "application/json; charset=utf-8";

/// Plain text, with its charset.
pub const TEXT: &str = "text/plain; charset=utf-8";

/// Builds a response from its parts.
pub fn response(status: StatusCode, headers: HeaderMap, body: impl Into<Bytes>) -> Response<Body> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Builds a response with a body of this type.
pub fn with_type(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Response<Body> {
    let content_type = HeaderValue::from_static(content_type);
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]);
    response(status, headers, body)
}

/// Builds a response without a body.
pub fn empty(status: StatusCode, headers: HeaderMap) -> Response<Body> {
    response(status, headers, Bytes::new())
}
