//! One resource that answers a GET: a page, a file, or a document for machines.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use tokio::sync::OnceCell;

use super::background;
use super::encode::{Effort, Encoding};
use super::negotiate::{self, Negotiated};
use super::representation::Representation;
use super::source::Source;
use super::unpacked::Unpacked;
use crate::kept_bodies;
use crate::response::{self, Body};

/// Texts of up to so many bytes are compressed as well as possible at once: it takes no longer than a millisecond or two.
const SMALL: usize = 2048;

/// A page, a file, or a document. Each of its representations is made when a client first asks for it, by a thread in the
/// background: quickly for those who wait, and then as small as possible for all who come later. What can be compressed is
/// kept compressed only.
pub struct Resource {
    status: StatusCode,
    kind: Kind,
    headers: MakeHeaders,
    source: Source,
    /// For what cannot be compressed.
    identity: OnceLock<Representation>,
    unpacked: Unpacked,
    /// One slot per [`Encoding::ALL`].
    encoded: [Slot; Encoding::ALL.len()],
}

/// For whom a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// For people: visits are counted.
    Page,
    /// For browsers and machines.
    Other,
}

/// A function that makes the headers that all representations share.
pub type MakeHeaders = Box<dyn Fn() -> HeaderMap + Send + Sync>;

/// The place of one representation.
#[derive(Debug, Default)]
struct Slot {
    best: OnceLock<Arc<Representation>>,
    /// What is sent until the best one is there.
    quick: Mutex<Option<Arc<OnceCell<Arc<Representation>>>>>,
}

impl Slot {
    fn quick(&self) -> Arc<OnceCell<Arc<Representation>>> {
        let mut quick = self.quick.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(quick.get_or_insert_default())
    }

    /// Keeps the best representation, and drops the one that was sent until now.
    fn settle(&self, best: Arc<Representation>) {
        let _ = self.best.set(best);
        *self.quick.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Resource");
        fields
            .field("status", &self.status)
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl Resource {
    /// Creates a resource of which nothing is made yet.
    pub fn new(status: StatusCode, kind: Kind, headers: MakeHeaders, source: Source) -> Arc<Self> {
        Arc::new(Self {
            status,
            kind,
            headers,
            source,
            identity: OnceLock::new(),
            unpacked: Unpacked::default(),
            encoded: Default::default(),
        })
    }

    /// Answers a GET or HEAD with these request headers (for HEAD, hyper leaves the body out).
    pub async fn respond(self: &Arc<Self>, request: &HeaderMap) -> Response<Body> {
        let representation = match negotiate::encoding(request, self.source.encodings()) {
            Negotiated::Identity => match self.incompressible() {
                Some(representation) => return self.answer_kept(representation, request),
                None => self.unpacked().await,
            },
            Negotiated::Encoded(encoding) => {
                if let Some(best) = self.best(encoding) {
                    return self.answer_kept(best, request);
                }
                self.quick(encoding).await
            }
            Negotiated::NotAcceptable => return bodiless(StatusCode::NOT_ACCEPTABLE, self.headers()),
        };
        match representation {
            Some(representation) => self.answer(&representation, request),
            None => bodiless(StatusCode::INTERNAL_SERVER_ERROR, self.headers()),
        }
    }

    /// Returns whether it is a page for people.
    pub fn is_page(&self) -> bool {
        self.kind == Kind::Page
    }

    /// Returns the bytes as they are; empty when they cannot be made.
    #[cfg(test)]
    pub fn body(&self) -> Bytes {
        let ready = self.source.ready(None).or_else(|| self.source.make());
        ready.map(|(bytes, _)| bytes).unwrap_or_default()
    }

    fn answer(&self, chosen: &Representation, request: &HeaderMap) -> Response<Body> {
        if self.status == StatusCode::OK
            && let Some(current) = chosen.validator.matching(request)
        {
            let mut headers = chosen.headers.clone();
            headers.insert(header::ETAG, current.to_header());
            return bodiless(StatusCode::NOT_MODIFIED, headers);
        }
        response::response(self.status, chosen.headers.clone(), chosen.body.clone())
    }

    /// Answers with a representation that lives as long as the process.
    fn answer_kept(&self, chosen: &Representation, request: &HeaderMap) -> Response<Body> {
        kept_bodies::keep(&chosen.body);
        self.answer(chosen, request)
    }

    fn slot(&self, encoding: Encoding) -> Option<&Slot> {
        self.encoded.get(encoding as usize)
    }

    /// Returns the bytes of a source that cannot be compressed.
    fn incompressible(&self) -> Option<&Representation> {
        if let Some(ready) = self.identity.get() {
            return Some(ready);
        }
        let (bytes, hash) = self.source.ready(None)?;
        Some(
            self.identity
                .get_or_init(|| self.representation(bytes, hash, None)),
        )
    }

    /// Returns the bytes as they are. Hardly any client wants them, and they are four times as long, so that they are unpacked
    /// for each.
    async fn unpacked(self: &Arc<Self>) -> Option<Arc<Representation>> {
        let encoding = self.source.kept_in();
        let packed = match self.best(encoding) {
            Some(best) => Arc::clone(best),
            None => self.quick(encoding).await?,
        };
        let bytes = self
            .unpacked
            .get_or_unpack(|| encoding.unpack(&packed.body).ok())?;
        Some(Arc::new(self.representation(bytes, packed.validator.hash, None)))
    }

    /// Returns the best representation if it is there, or need not be made.
    fn best(&self, encoding: Encoding) -> Option<&Arc<Representation>> {
        let slot = self.slot(encoding)?;
        if let Some(best) = slot.best.get() {
            return Some(best);
        }
        let (bytes, hash) = self.source.ready(Some(encoding))?;
        let best = self.representation(bytes, hash, Some((encoding, Effort::Best)));
        Some(slot.best.get_or_init(|| Arc::new(best)))
    }

    /// Returns a representation as soon as possible, and sees to it that there will be a better one.
    async fn quick(self: &Arc<Self>, encoding: Encoding) -> Option<Arc<Representation>> {
        let cell = self.slot(encoding)?.quick();
        let made = cell.get_or_try_init(|| self.make_quick(encoding)).await;
        made.ok().cloned()
    }

    async fn make_quick(self: &Arc<Self>, encoding: Encoding) -> Result<Arc<Representation>, ()> {
        let resource = Arc::clone(self);
        let made = background::soon(move || resource.make(encoding, Effort::Quick)).await;
        let made = Arc::new(made.flatten().ok_or(())?);
        if made.validator.is_best() {
            self.settle(encoding, Arc::clone(&made));
            return Ok(made);
        }
        let resource = Arc::clone(self);
        background::some_time(move || {
            if let Some(best) = resource.make(encoding, Effort::Best) {
                resource.settle(encoding, Arc::new(best));
            }
        });
        Ok(made)
    }

    fn settle(&self, encoding: Encoding, best: Arc<Representation>) {
        if let Some(slot) = self.slot(encoding) {
            slot.settle(best);
        }
    }

    fn make(&self, encoding: Encoding, effort: Effort) -> Option<Representation> {
        let (bytes, hash) = self.source.make()?;
        let effort = if bytes.len() <= SMALL || !encoding.is_slow_at_best() {
            Effort::Best
        } else {
            effort
        };
        let body = Bytes::from(encoding.encode(&bytes, effort).ok()?);
        Some(self.representation(body, hash, Some((encoding, effort))))
    }

    fn representation(&self, body: Bytes, hash: u64, coding: Option<(Encoding, Effort)>) -> Representation {
        Representation::new(self.headers(), body, hash, coding)
    }

    /// Returns the headers that all representations share.
    fn headers(&self) -> HeaderMap {
        let mut headers = (self.headers)();
        if !self.source.encodings().is_empty() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        headers
    }
}

/// Builds a response without a body, and so without the headers that describe one.
fn bodiless(status: StatusCode, mut headers: HeaderMap) -> Response<Body> {
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
    response::empty(status, headers)
}
