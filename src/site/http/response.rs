//! Building responses: the one place where status, headers and body come together.

use std::convert::Infallible;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};

/// JSON, with its charset.
pub const JSON: &str = "application/json; charset=utf-8";

/// Plain text, with its charset.
pub const TEXT: &str = "text/plain; charset=utf-8";

/// Body of every public response: all of it is in memory.
#[derive(Debug, Default)]
pub struct Body(Bytes);

impl Body {
    /// Returns the bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// Returns the bytes alone.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl<B: Into<Bytes>> From<B> for Body {
    fn from(bytes: B) -> Self {
        Self(bytes.into())
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = mem::take(&mut self.0);
        Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

/// Builds a response from its parts.
pub fn response(status: StatusCode, headers: HeaderMap, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Builds a response with a body of this type.
pub fn with_type(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response<Body> {
    let content_type = HeaderValue::from_static(content_type);
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]);
    response(status, headers, body)
}

/// Builds a redirect. The location is taken from a request that hyper has parsed, from the manifest or from a token, so that it
/// fits into a header.
pub fn redirect(status: StatusCode, path: &str, query: Option<&str>) -> Response<Body> {
    let location = query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let location = HeaderValue::try_from(location).map(|location| (header::LOCATION, location));
    empty(status, HeaderMap::from_iter(location))
}

/// Builds a response without a body.
pub fn empty(status: StatusCode, headers: HeaderMap) -> Response<Body> {
    response(status, headers, Body::default())
}
