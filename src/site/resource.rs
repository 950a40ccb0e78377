//! One resource that answers a GET: a page, a file, or a document for machines.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::spawn_blocking;

use super::negotiate;
use super::source::{Common, Source};
use crate::site::encoding::{Effort, Encoding};
use crate::site::http::response::{self, Body};

/// How many pages are filled and compressed at once. Each takes some megabytes meanwhile, and up to two tenths of a second of a
/// processor that others wait for, too.
const AT_ONCE: usize = 2;

static MAKING: Semaphore = Semaphore::const_new(AT_ONCE);

/// Does what would hold up a connection on a thread that may block. Returns `None` when it panicked. Dropping the future while
/// it waits for its turn means that nothing is done.
pub(super) async fn make<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Option<R> {
    let turn = MAKING.acquire().await.ok()?;
    let made = spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    made.await.ok()
}

/// A page, a file, or a document. Each of its representations is made when a client first asks for it, and kept.
pub struct Resource {
    status: StatusCode,
    source: Source,
    common: Arc<Common>,
    /// One for each of [`Encoding::ALL`], and one for the bytes as they are.
    representations: [OnceCell<Representation>; Encoding::ALL.len() + 1],
}

/// Bytes in one coding, with the headers that they are sent with.
struct Representation {
    /// A strong validator (RFC 9110, section 8.8.3): the start of the text's hash, and the coding.
    etag: String,
    /// All headers but the length.
    headers: HeaderMap,
    body: Bytes,
}

impl Resource {
    /// Creates a resource without any representation yet.
    pub fn new(status: StatusCode, source: Source, common: &Arc<Common>) -> Arc<Self> {
        Arc::new(Self {
            status,
            source,
            common: Arc::clone(common),
            representations: Default::default(),
        })
    }

    /// Answers a GET or HEAD with these request headers (for HEAD, hyper leaves the body out).
    pub async fn respond(self: &Arc<Self>, request: &HeaderMap) -> Response<Body> {
        let Ok(coding) = negotiate::coding(request, self.source.encodings()) else {
            return bodiless(StatusCode::NOT_ACCEPTABLE, self.source.headers(&self.common));
        };
        let Some(chosen) = self.representation(coding).await else {
            return bodiless(
                StatusCode::INTERNAL_SERVER_ERROR,
                self.source.headers(&self.common),
            );
        };
        let headers = chosen.headers.clone();
        if self.status == StatusCode::OK && has_copy(request, &chosen.etag) {
            return bodiless(StatusCode::NOT_MODIFIED, headers);
        }
        response::response(self.status, headers, chosen.body.clone())
    }

    /// Whether it is a page for people, of which visits are counted.
    pub fn is_page(&self) -> bool {
        matches!(self.source, Source::Page { .. })
    }

    /// Returns the bytes as they are; empty when they cannot be made.
    #[cfg(test)]
    pub fn body(&self) -> Bytes {
        let made = || self.source.make(&self.common).ok();
        let ready = self.source.ready(None).or_else(made);
        ready.map(|(bytes, _)| bytes).unwrap_or_default()
    }

    /// Returns the representation in a coding (`None`: as it is). Clients that ask for it at the same time wait for the same one.
    async fn representation(self: &Arc<Self>, coding: Option<Encoding>) -> Option<&Representation> {
        let number = coding.map_or(Encoding::ALL.len(), |encoding| encoding as usize);
        let made = self.representations.get(number)?.get_or_try_init(|| async {
            if let Some((bytes, hash)) = self.source.ready(coding) {
                return Ok(self.represent(bytes, hash, coding));
            }
            let resource = Arc::clone(self);
            make(move || resource.encode(coding)).await.flatten().ok_or(())
        });
        made.await.ok()
    }

    fn encode(&self, coding: Option<Encoding>) -> Option<Representation> {
        let (bytes, hash) = match self.source.make(&self.common) {
            Ok(made) => made,
            Err(error) => {
                tracing::error!(error, "a page cannot be made");
                return None;
            }
        };
        let body = match coding {
            Some(encoding) => encoding.encode(&bytes, Effort::Best).ok()?.into(),
            None => bytes,
        };
        Some(self.represent(body, hash, coding))
    }

    /// Adds validator and coding to the headers. `hash` is that of the bytes before they were encoded.
    fn represent(&self, body: Bytes, hash: u64, coding: Option<Encoding>) -> Representation {
        let mut headers = self.source.headers(&self.common);
        let etag = match coding {
            Some(encoding) => {
                let token = HeaderValue::from_static(encoding.token());
                headers.insert(header::CONTENT_ENCODING, token);
                format!("\"{hash:016x}-{}\"", encoding.token())
            }
            None => format!("\"{hash:016x}\""),
        };
        // It holds letters, digits, hyphens and quotes.
        if let Ok(etag) = HeaderValue::try_from(&etag) {
            headers.insert(header::ETAG, etag);
        }
        Representation { etag, headers, body }
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Resource")
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

/// Builds a response without a body, and so without the headers that describe one.
fn bodiless(status: StatusCode, mut headers: HeaderMap) -> Response<Body> {
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
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
