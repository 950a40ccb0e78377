//! One resource that answers a GET: a page, a file, or a document for machines.

use std::fmt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use hyper::header;
use hyper::{HeaderMap, Response, StatusCode};

use super::encode::Encoding;
use super::negotiate::{self, Negotiated};
use super::representations::Representations;
use crate::kept_bodies;
use crate::response::{self, Body};

/// A page, a file, or a document.
#[derive(Debug)]
pub struct Resource {
    status: StatusCode,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Ready(Representations),
    /// A text that holds settings. It is made when the first visitor asks for it, so that the start waits for none, and a
    /// text that nobody reads takes no memory. `None` when that failed.
    Lazy {
        headers: Arc<HeaderMap>,
        text: LazyText,
        made: OnceLock<Option<Representations>>,
    },
}

/// A function that makes a text; its error is for the log.
pub struct LazyText(Box<dyn Fn() -> Result<String, String> + Send + Sync>);

impl LazyText {
    /// Wraps a function.
    pub fn new(make: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self(Box::new(make))
    }
}

impl fmt::Debug for LazyText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("LazyText")
    }
}

impl Resource {
    /// Creates a resource whose text is made when it is first asked for.
    pub fn lazy(status: StatusCode, headers: Arc<HeaderMap>, text: LazyText) -> Self {
        Self {
            status,
            content: Content::Lazy {
                headers,
                text,
                made: OnceLock::new(),
            },
        }
    }

    /// Creates a resource from a text, which is sent in any encoding.
    pub fn text(status: StatusCode, headers: HeaderMap, text: String) -> Self {
        Self {
            status,
            content: Content::Ready(Representations::text(headers, text)),
        }
    }

    /// Creates a resource from a file that does not shrink. It is sent as it is.
    pub fn incompressible(headers: HeaderMap, body: Bytes, hash: u64) -> Self {
        Self {
            status: StatusCode::OK,
            content: Content::Ready(Representations::incompressible(headers, body, hash)),
        }
    }

    /// Creates a resource from a file that the build compressed. It is unpacked only when a client asks for it without an
    /// encoding.
    pub fn encoded(headers: HeaderMap, encoded: Vec<(Encoding, Bytes)>, hash: u64) -> Self {
        Self {
            status: StatusCode::OK,
            content: Content::Ready(Representations::encoded(headers, encoded, hash)),
        }
    }

    /// Answers a GET or HEAD with these request headers (for HEAD, hyper leaves the body out).
    pub fn respond(&self, request: &HeaderMap) -> Response<Body> {
        let Some(representations) = self.representations() else {
            return bodiless(StatusCode::INTERNAL_SERVER_ERROR, self.headers().clone());
        };
        let chosen = match negotiate::encoding(request, representations.encodings) {
            Negotiated::Identity => representations.identity(),
            Negotiated::Encoded(encoding) => representations.in_encoding(encoding),
            Negotiated::NotAcceptable => {
                return bodiless(StatusCode::NOT_ACCEPTABLE, representations.headers.clone());
            }
        };
        if self.status == StatusCode::OK && negotiate::is_current(request, &chosen.etag) {
            return bodiless(StatusCode::NOT_MODIFIED, chosen.headers.clone());
        }
        kept_bodies::keep(&chosen.body);
        response::response(self.status, chosen.headers.clone(), chosen.body.clone())
    }

    /// Returns whether it is a page for people.
    pub fn is_page(&self) -> bool {
        let content_type = self.headers().get(header::CONTENT_TYPE);
        content_type.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
    }

    /// Returns the bytes as they are; empty when the text cannot be made.
    #[cfg(test)]
    pub fn body(&self) -> Bytes {
        self.representations()
            .map(|representations| representations.identity().body.clone())
            .unwrap_or_default()
    }

    /// Returns the headers that all representations share.
    fn headers(&self) -> &HeaderMap {
        match &self.content {
            Content::Ready(representations) => &representations.headers,
            Content::Lazy { headers, .. } => headers,
        }
    }

    fn representations(&self) -> Option<&Representations> {
        let (headers, text, made) = match &self.content {
            Content::Ready(representations) => return Some(representations),
            Content::Lazy { headers, text, made } => (headers, text, made),
        };
        let made = made.get_or_init(|| match text.0() {
            Ok(text) => Some(Representations::text(HeaderMap::clone(headers), text)),
            Err(error) => {
                // Cannot happen: a test makes every text, with and without settings.
                tracing::error!(error, "a page cannot be made");
                None
            }
        });
        made.as_ref()
    }
}

/// Builds a response without a body, and so without the headers that describe one.
fn bodiless(status: StatusCode, mut headers: HeaderMap) -> Response<Body> {
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
    response::empty(status, headers)
}
