//! One resource that answers a GET: a page, a file, or a document for machines.

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

/// How many pages are filled and compressed at once. Each takes some megabytes meanwhile, and up to two tenths of a second of a
/// processor that others wait for, too.
const AT_ONCE: usize = 2;

static MAKING: Semaphore = Semaphore::const_new(AT_ONCE);

/// The header of what is sent in several codings.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");

/// What a resource is made from.
#[derive(Debug)]
pub enum Source {
    /// A page: its template inside the site folder, and what it is filled with beside the settings.
    Page(String, Box<PageData>),
    /// A text for machines: its template, and what it is filled with.
    Document(&'static str, Value),
    /// A file, as the build made it.
    File(StaticFile),
}

/// Bytes in one coding.
#[derive(Debug)]
struct Representation {
    /// A strong validator (RFC 9110, section 8.8.3): the start of the hash of what is encoded, and the coding.
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

/// Does what would hold up a connection on a thread that may block. Returns `None` when that fails, which it cannot. Dropping the
/// future while it waits for its turn means that nothing is done.
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

/// A page, a file, or a document. Each of its representations is made when a client first asks for it, and kept. A page for one visitor,
/// made with less effort, is compressed, too: it holds a visitor's own words, and no secret that another site could find out by its
/// length. No client keeps it.
#[derive(Debug)]
pub struct Resource {
    status: StatusCode,
    /// Those that it is sent with in any coding.
    headers: HeaderMap,
    source: Source,
    /// The codings in which it may be sent.
    encodings: &'static [Encoding],
    effort: Effort,
    templates: Arc<Templates>,
    /// One for each of [`Encoding::ALL`].
    representations: [OnceCell<Representation>; Encoding::ALL.len()],
}

impl Resource {
    /// Creates a resource without any representation yet. `headers` are those that it has as it is.
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

    /// Answers a GET or HEAD with these request headers (for HEAD, hyper leaves the body out).
    pub async fn respond(self: &Arc<Self>, request: &HeaderMap) -> Response<Body> {
        let mut headers = self.headers.clone();
        let is_kept = self.effort == Effort::Best;
        let encoding = match encoding::coding(request, self.encodings) {
            Some(encoding) => encoding,
            None if is_kept => return bodiless(StatusCode::NOT_ACCEPTABLE, headers),
            // A client that has sent a form and accepts none of the codings gets the bytes as they are.
            None => Encoding::Identity,
        };
        let Some(chosen) = self.representation(encoding).await else {
            return bodiless(StatusCode::INTERNAL_SERVER_ERROR, headers);
        };
        // It holds letters, digits, hyphens and quotes.
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

    /// Whether it is a page for people, of which visits are counted.
    pub fn is_page(&self) -> bool {
        matches!(self.source, Source::Page(..))
    }

    /// Returns the bytes as they are; empty when they cannot be made.
    #[cfg(test)]
    pub fn body(&self) -> Bytes {
        self.make(Encoding::Identity)
            .map(|made| made.body)
            .unwrap_or_default()
    }

    /// Returns the representation in a coding. Clients that ask for it at the same time wait for the same one.
    async fn representation(self: &Arc<Self>, encoding: Encoding) -> Option<&Representation> {
        let made = self.representations.get(encoding as usize)?;
        let made = made.get_or_try_init(|| async {
            let resource = Arc::clone(self);
            make(move || resource.make(encoding)).await.ok_or(())
        });
        made.await.ok()
    }

    /// Makes the bytes in this coding.
    ///
    /// # Errors
    /// Never, as tests show: they fill every template.
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
        // Without the room that it had for growing.
        let body = body.map_err(|error| error.to_string())?.into_boxed_slice();
        let hash = hash_prefix(&Sha256::digest(&text));
        Ok(Representation::new(body.into(), hash, encoding))
    }
}

/// Whether the client's copy is current (RFC 9110, section 13.1.2).
fn has_copy(request: &HeaderMap, etag: &str) -> bool {
    let conditions = request.get_all(header::IF_NONE_MATCH).iter();
    conditions
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(str::trim))
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// Builds a response without a body, and so without the header that describes one.
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
