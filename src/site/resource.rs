//! A resource that answers GET: a page, a file, or a machine-readable document.

use std::sync::Arc;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use minijinja::value::Value;
use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::spawn_blocking;

use super::embedded::{StaticFile, hash_prefix};
use super::page_data::PageData;
use super::templates::Templates;
use crate::site::encoding::{self, Effort, Encoding};
use crate::site::http::response::{self, Body};

/// How many pages are rendered and compressed at once. Each takes several megabytes and up to 200 ms of CPU time that others also
/// need.
const AT_ONCE: usize = 2;

static MAKING: Semaphore = Semaphore::const_new(AT_ONCE);

/// For resources with several encodings.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");

/// The source of a resource.
#[derive(Debug)]
pub enum Source {
    /// A page: its template in the site folder, and its data beyond the settings.
    Page(String, Box<PageData>),
    /// A machine-readable document: its template and its data.
    Document(&'static str, Value),
    /// A static file as built.
    File(StaticFile),
}

/// The bytes in one encoding.
#[derive(Debug)]
struct Representation {
    /// A strong validator (RFC 9110, section 8.8.3): a prefix of the hash of the unencoded bytes, and the encoding.
    etag: String,
    body: Bytes,
}

impl Representation {
    fn new(body: Bytes, hash: u64, encoding: Encoding) -> Self {
        let coding = match encoding {
            Encoding::Identity => String::new(),
            Encoding::Brotli | Encoding::Gzip => format!("-{}", encoding.token()),
        };
        let etag = format!("\"{hash:016x}{coding}\"");
        Self { etag, body }
    }
}

/// Runs CPU-bound work on a blocking thread. Returns `None` if it fails, which does not happen. If the future is dropped while it
/// waits for a permit, the work is not started.
async fn make(
    work: impl FnOnce() -> Result<Representation, String> + Send + 'static,
) -> Option<Representation> {
    let turn = MAKING.acquire().await.ok()?;
    let made = spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    let made = made.await.ok()?;
    made.inspect_err(|error| tracing::error!(error, "a page cannot be made"))
        .ok()
}

/// A page, a file or a document. Each representation is created on first request and then cached. Pages for one visitor are
/// compressed with less effort. That is safe: they contain the visitor's own input, and no secret that another site could learn
/// from their length. Clients do not store them.
#[derive(Debug)]
pub struct Resource {
    status: StatusCode,
    /// The headers in any encoding.
    headers: HeaderMap,
    source: Source,
    /// The encodings in which it is available.
    encodings: &'static [Encoding],
    effort: Effort,
    templates: Arc<Templates>,
    /// By index into [`Encoding::ALL`].
    representations: [OnceCell<Representation>; Encoding::ALL.len()],
}

impl Resource {
    /// Creates a resource with no representations yet. `headers` are those of the unencoded resource.
    pub fn new(
        status: StatusCode,
        mut headers: HeaderMap,
        source: Source,
        effort: Effort,
        templates: &Arc<Templates>,
    ) -> Arc<Self> {
        let encodings = match &source {
            Source::File(file) => file.encodings(),
            Source::Page(..) | Source::Document(..) => &Encoding::ALL,
        };
        if encodings.len() > 1 {
            headers.insert(header::VARY, VARY);
        }
        Arc::new(Self {
            status,
            headers,
            source,
            encodings,
            effort,
            templates: Arc::clone(templates),
            representations: Default::default(),
        })
    }

    /// Answers a GET or HEAD with these request headers (for HEAD, the connection drops the body).
    pub async fn respond(self: &Arc<Self>, request: &HeaderMap) -> Response<Body> {
        let mut headers = self.headers.clone();
        let is_kept = self.effort == Effort::Best;
        let encoding = match encoding::coding(request, self.encodings) {
            Some(encoding) => encoding,
            None if is_kept => return bodiless(StatusCode::NOT_ACCEPTABLE, headers),
            // A client that submitted a form gets a response even if it refuses all encodings.
            None => Encoding::Identity,
        };
        let Some(chosen) = self.representation(encoding).await else {
            return bodiless(StatusCode::INTERNAL_SERVER_ERROR, headers);
        };
        // ETags consist of letters, digits, hyphens and quotes.
        if is_kept && let Ok(etag) = HeaderValue::try_from(&chosen.etag) {
            headers.insert(header::ETAG, etag);
            if self.status == StatusCode::OK && has_copy(request, &chosen.etag) {
                return bodiless(StatusCode::NOT_MODIFIED, headers);
            }
        }
        if encoding != Encoding::Identity {
            let token = HeaderValue::from_static(encoding.token());
            headers.insert(header::CONTENT_ENCODING, token);
        }
        response::response(self.status, headers, chosen.body.clone())
    }

    /// Whether it is a page for people, whose visits are counted.
    pub fn is_page(&self) -> bool {
        matches!(self.source, Source::Page(..))
    }

    /// The unencoded bytes; empty on failure.
    #[cfg(test)]
    pub fn body(&self) -> Bytes {
        self.make(Encoding::Identity)
            .map(|made| made.body)
            .unwrap_or_default()
    }

    /// The representation in an encoding. Concurrent requests share one creation.
    async fn representation(self: &Arc<Self>, encoding: Encoding) -> Option<&Representation> {
        let made = self.representations.get(encoding as usize)?;
        let made = made.get_or_try_init(|| async {
            let resource = Arc::clone(self);
            make(move || resource.make(encoding)).await.ok_or(())
        });
        made.await.ok()
    }

    /// Creates the representation in this encoding.
    ///
    /// # Errors
    /// Never: the tests render every template.
    fn make(&self, encoding: Encoding) -> Result<Representation, String> {
        let filled = match &self.source {
            Source::Page(file, data) => self.templates.fill(file, data),
            Source::Document(template, data) => self.templates.fill_text(template, data),
            Source::File(file) => {
                let body = file.body(encoding).ok_or("it is not there")?.clone();
                return Ok(Representation::new(body, file.hash, encoding));
            }
        };
        let text = filled.map_err(|error| error.to_string())?;
        let body = encoding.encode(text.as_bytes(), self.effort);
        // Drops the excess capacity.
        let body = body.map_err(|error| error.to_string())?.into_boxed_slice();
        let hash = hash_prefix(&Sha256::digest(&text));
        Ok(Representation::new(body.into(), hash, encoding))
    }
}

/// Whether the client's cached copy is current (RFC 9110, section 13.1.2).
fn has_copy(request: &HeaderMap, etag: &str) -> bool {
    let conditions = request.get_all(header::IF_NONE_MATCH).iter();
    conditions
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(str::trim))
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// Builds a response without a body, and therefore without a content type.
fn bodiless(status: StatusCode, mut headers: HeaderMap) -> Response<Body> {
    headers.remove(header::CONTENT_TYPE);
    response::empty(status, headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_current_copy_is_recognised_in_lists_and_weakened() {
        let has = |condition: &str| {
            let condition = (header::IF_NONE_MATCH, condition.parse().unwrap());
            has_copy(&HeaderMap::from_iter([condition]), "\"0a-br\"")
        };
        assert!(has("\"0a-br\"") && has("\"x\", W/\"0a-br\"") && has("*"));
        assert!(!has("\"0a\"") && !has("0a-br"));
        assert!(!has_copy(&HeaderMap::new(), "\"0a-br\""));
    }
}
