//! One thing that answers a GET: a page, a file, a document for machines.

use std::fmt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http_body_util::Full;
use hyper::header;
use hyper::{HeaderMap, Response, StatusCode};

use super::encode::Encoding;
use super::forms::Forms;
use super::negotiate::{self, Choice};

/// A page or a file.
#[derive(Debug)]
pub struct Resource {
    status: StatusCode,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Ready(Forms),
    /// A text in which settings stand: made when the first visitor asks for it, so that start-up waits for none, and
    /// what nobody reads takes no memory. `None` when that failed.
    Made {
        headers: Arc<HeaderMap>,
        fill: Fill,
        forms: OnceLock<Option<Forms>>,
    },
}

/// Makes a text; the error is for the log.
pub struct Fill(Box<dyn Fn() -> Result<String, String> + Send + Sync>);

impl Fill {
    /// From a function.
    pub fn new(fill: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self(Box::new(fill))
    }
}

impl fmt::Debug for Fill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Fill")
    }
}

impl Resource {
    /// A text that is made when it is first asked for.
    pub fn made(status: StatusCode, headers: Arc<HeaderMap>, fill: Fill) -> Self {
        Self {
            status,
            content: Content::Made {
                headers,
                fill,
                forms: OnceLock::new(),
            },
        }
    }

    /// A text that stands in the code; it is sent in any encoding.
    pub fn text(status: StatusCode, headers: HeaderMap, text: String) -> Self {
        Self {
            status,
            content: Content::Ready(Forms::text(headers, text)),
        }
    }

    /// A file of a kind that does not shrink; it is sent as it is.
    pub fn plain(headers: HeaderMap, body: Bytes, hash: u64) -> Self {
        Self {
            status: StatusCode::OK,
            content: Content::Ready(Forms::plain(headers, body, hash)),
        }
    }

    /// A file that the build compressed; the plain form is unpacked when the first client asks for it.
    pub fn encoded(headers: HeaderMap, forms: Vec<(Encoding, Bytes)>, hash: u64) -> Self {
        Self {
            status: StatusCode::OK,
            content: Content::Ready(Forms::encoded(headers, forms, hash)),
        }
    }

    /// The answer to a GET or HEAD with these request headers (hyper leaves the body out for HEAD).
    pub fn respond(&self, request: &HeaderMap) -> Response<Full<Bytes>> {
        let Some(forms) = self.forms() else {
            return empty(StatusCode::INTERNAL_SERVER_ERROR, self.prepared_headers());
        };
        let variant = match negotiate::encoding(request, forms.encodings) {
            Choice::Identity => forms.in_plain(),
            Choice::Encoded(encoding) => forms.in_encoding(encoding),
            Choice::Nothing => return empty(StatusCode::NOT_ACCEPTABLE, forms.headers.clone()),
        };
        if self.status == StatusCode::OK && negotiate::is_current(request, &variant.etag) {
            return empty(StatusCode::NOT_MODIFIED, variant.headers.clone());
        }
        let mut response = Response::new(Full::new(variant.body.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = variant.headers.clone();
        response
    }

    /// The bytes as they are; empty when a page cannot be filled.
    #[cfg(test)]
    pub fn body(&self) -> Bytes {
        self.forms()
            .map(|forms| forms.in_plain().body.clone())
            .unwrap_or_default()
    }

    /// What every form of it is sent with.
    fn prepared_headers(&self) -> HeaderMap {
        match &self.content {
            Content::Ready(forms) => forms.headers.clone(),
            Content::Made { headers, .. } => HeaderMap::clone(headers),
        }
    }

    fn forms(&self) -> Option<&Forms> {
        let (headers, fill, forms) = match &self.content {
            Content::Ready(forms) => return Some(forms),
            Content::Made { headers, fill, forms } => (headers, fill, forms),
        };
        let filled = forms.get_or_init(|| match fill.0() {
            Ok(text) => Some(Forms::text(HeaderMap::clone(headers), text)),
            Err(error) => {
                // A test makes every text, with and without settings; this is for the impossible.
                tracing::error!(error, "a page cannot be made");
                None
            }
        });
        filled.as_ref()
    }
}

/// An answer without a body, and so without what describes one.
fn empty(status: StatusCode, mut headers: HeaderMap) -> Response<Full<Bytes>> {
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
