//! One resource that answers a GET: a page, a file, or a document for machines.

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use parking_lot::Mutex;
use tokio::sync::OnceCell;

use super::background::{run_background, run_idle};
use super::negotiate;
use super::source::{Common, Source};
use super::validator::Validator;
use crate::site::embedded::encoding::{Effort, Encoding};
use crate::site::http::body_file::FiledBody;
use crate::site::http::response::{self, Body};

/// Texts of up to so many bytes are compressed as well as possible at once: it takes no longer than a millisecond or two.
const SMALL: usize = 2048;

/// A page, a file, or a document. Each of its representations is made when a client first asks for it, by a thread in the
/// background: quickly for those who wait, and then as small as possible for all who come later. What can be compressed is
/// kept compressed only.
pub struct Resource {
    status: StatusCode,
    source: Source,
    common: Arc<Common>,
    /// One slot for each of [`Encoding::ALL`], and one for what cannot be compressed.
    slots: [Slot; Encoding::ALL.len() + 1],
    /// The bytes as they are, while somebody takes them. All who do so at once share them, so that clients that read slowly
    /// cannot fill the memory with copies.
    unpacked: Mutex<Weak<[u8]>>,
}

/// The place of one representation.
#[derive(Default)]
struct Slot {
    best: OnceLock<Arc<Representation>>,
    /// What is sent until the best one is there.
    quick: Mutex<Option<Arc<OnceCell<Arc<Representation>>>>>,
}

/// Bytes in one coding, with the headers that they are sent with.
struct Representation {
    validator: Validator,
    /// All headers but the length.
    headers: HeaderMap,
    body: Bytes,
    /// The bytes in the site's file, once they were sent; `None` if they are not to be in it, or find no room.
    filed: OnceLock<Option<Arc<FiledBody>>>,
}

impl Resource {
    /// Creates a resource of which nothing is made yet.
    pub fn new(status: StatusCode, source: Source, common: &Arc<Common>) -> Arc<Self> {
        Arc::new(Self {
            status,
            source,
            common: Arc::clone(common),
            slots: Default::default(),
            unpacked: Mutex::new(Weak::<[u8; 0]>::new()),
        })
    }

    /// Answers a GET or HEAD with these request headers (for HEAD, hyper leaves the body out).
    pub async fn respond(self: &Arc<Self>, request: &HeaderMap) -> Response<Body> {
        let headers = || self.source.headers(&self.common);
        let Ok(coding) = negotiate::coding(request, self.source.encodings()) else {
            return bodiless(StatusCode::NOT_ACCEPTABLE, headers());
        };
        match self.representation(coding).await {
            Some(representation) => self.answer(&representation, request),
            None => bodiless(StatusCode::INTERNAL_SERVER_ERROR, headers()),
        }
    }

    /// Returns whether it is a page for people, of which visits are counted.
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

    fn answer(&self, chosen: &Representation, request: &HeaderMap) -> Response<Body> {
        let mut headers = chosen.headers.clone();
        if self.status == StatusCode::OK
            && let Some(current) = chosen.validator.matching(request)
        {
            headers.insert(header::ETAG, current.to_header());
            return bodiless(StatusCode::NOT_MODIFIED, headers);
        }
        let filed = chosen.filed.get_or_init(|| self.common.bodies.add(&chosen.body));
        let body = Body::filed(chosen.body.clone(), filed.clone());
        response::response(self.status, headers, body)
    }

    /// Returns the representation in a coding (`None`: as it is), as soon as there is one.
    async fn representation(self: &Arc<Self>, coding: Option<Encoding>) -> Option<Arc<Representation>> {
        match (self.best(coding), coding) {
            (Some(best), _) => Some(Arc::clone(best)),
            (None, Some(encoding)) => self.quick(encoding).await,
            (None, None) => self.unpacked().await,
        }
    }

    /// Returns the best representation if it is there, or need not be made.
    fn best(&self, coding: Option<Encoding>) -> Option<&Arc<Representation>> {
        let best = &self.slot(coding)?.best;
        if let Some(best) = best.get() {
            return Some(best);
        }
        let (bytes, hash) = self.source.ready(coding)?;
        let coding = coding.map(|encoding| (encoding, Effort::Best));
        Some(best.get_or_init(|| self.represent(bytes, hash, coding)))
    }

    /// Returns a representation as soon as possible, and sees to it that there will be a better one.
    async fn quick(self: &Arc<Self>, encoding: Encoding) -> Option<Arc<Representation>> {
        let cell = Arc::clone(self.slot(Some(encoding))?.quick.lock().get_or_insert_default());
        let made = cell.get_or_try_init(|| async {
            let resource = Arc::clone(self);
            let made = run_background(move || resource.make(encoding, Effort::Quick)).await;
            let made = made.flatten().ok_or(())?;
            if !made.validator.is_best() {
                let resource = Arc::clone(self);
                run_idle(move || drop(resource.make(encoding, Effort::Best)));
            }
            Ok::<_, ()>(made)
        });
        made.await.ok().cloned()
    }

    /// Returns the bytes as they are. Hardly any client wants them, and they are four times as long, so that they are unpacked
    /// for each.
    async fn unpacked(self: &Arc<Self>) -> Option<Arc<Representation>> {
        let packed = match self.best(Some(Encoding::PACKED)) {
            Some(best) => Arc::clone(best),
            None => self.quick(Encoding::PACKED).await?,
        };
        let bytes = self.share(|| Encoding::PACKED.unpack(&packed.body).ok())?;
        let unpacked = self.represent(Bytes::from_owner(bytes), packed.validator.hash, None);
        // It is gone with the last who takes it.
        let _ = unpacked.filed.set(None);
        Some(unpacked)
    }

    /// Returns the bytes as they are, and unpacks them if nobody has them. `None` when that fails.
    fn share(&self, unpack: impl FnOnce() -> Option<Vec<u8>>) -> Option<Arc<[u8]>> {
        let mut unpacked = self.unpacked.lock();
        if let Some(bytes) = unpacked.upgrade() {
            return Some(bytes);
        }
        let bytes = Arc::from(unpack()?);
        *unpacked = Arc::downgrade(&bytes);
        Some(bytes)
    }

    /// Makes a representation. The best one takes the place of the other.
    fn make(&self, encoding: Encoding, effort: Effort) -> Option<Arc<Representation>> {
        let (bytes, hash) = match self.source.make(&self.common) {
            Ok(made) => made,
            Err(error) => {
                tracing::error!(error, "a page cannot be made");
                return None;
            }
        };
        let effort = if bytes.len() <= SMALL || !encoding.is_slow_at_best() {
            Effort::Best
        } else {
            effort
        };
        let body = Bytes::from(encoding.encode(&bytes, effort).ok()?);
        let made = self.represent(body, hash, Some((encoding, effort)));
        if effort == Effort::Best {
            let slot = self.slot(Some(encoding))?;
            let _ = slot.best.set(Arc::clone(&made));
            *slot.quick.lock() = None;
        } else {
            let _ = made.filed.set(None);
        }
        Some(made)
    }

    /// Adds validator and coding to the headers. `hash` is that of the bytes before they were encoded.
    fn represent(&self, body: Bytes, hash: u64, coding: Option<(Encoding, Effort)>) -> Arc<Representation> {
        let validator = Validator { hash, coding };
        let mut headers = self.source.headers(&self.common);
        if let Some((encoding, _)) = coding {
            let token = HeaderValue::from_static(encoding.token());
            headers.insert(header::CONTENT_ENCODING, token);
        }
        headers.insert(header::ETAG, validator.to_header());
        Arc::new(Representation {
            validator,
            headers,
            body,
            filed: OnceLock::new(),
        })
    }

    fn slot(&self, coding: Option<Encoding>) -> Option<&Slot> {
        let number = coding.map_or(Encoding::ALL.len(), |encoding| encoding as usize);
        self.slots.get(number)
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Resource")
    }
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
    use crate::config::settings::SiteSettings;
    use crate::site::tests::prepare;

    #[test]
    fn bytes_are_shared_while_somebody_takes_them_and_gone_afterwards() {
        let site = prepare(&SiteSettings::embedded().unwrap());
        let page = site.find("/faq").unwrap();
        let first = page.share(|| Some(vec![1])).unwrap();
        let second = page.share(|| panic!("they are there")).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        drop(first);
        assert_eq!(page.share(|| Some(vec![2])).unwrap(), second);
        drop(second);
        assert!(page.unpacked.lock().upgrade().is_none(), "nothing is kept");
        assert!(page.share(|| None).is_none());
    }
}
