//! Streams of records in constant memory.

use std::mem;
use std::sync::Arc;
use std::vec::IntoIter;

use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::base::panics;
use crate::domain::inquiry::TimeRange;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::InquiryRecord;
use crate::store::entry::{Deliverable, StoredRecord};
use crate::store::map::{EngineError, EntryKind, Span, scan};
use crate::store::values::ids::first_since;
use crate::store::values::millis;
use crate::store::{Store, Unavailable, in_time};

/// Records sent at once.
const CHUNK: usize = 256;

/// Chunks read ahead, so that reading and writing overlap.
const AHEAD: usize = 2;

/// Some records, none at the end, or an error that ends the stream.
type Chunk<T> = Result<Vec<T>, Unavailable>;

/// A stream of inquiries with their referrals.
pub type InquiryRecords = Records<InquiryRecord>;

/// A stream of records as of one moment, which the store preserves for as long as the stream lives. Dropping it ends the reading.
#[derive(Debug)]
pub struct Records<T> {
    total: u64,
    chunks: Receiver<Chunk<T>>,
    chunk: IntoIter<T>,
    is_complete: bool,
}

impl<T> Records<T> {
    /// About how many records the store has, regardless of the range.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the next record; `None` after the last.
    ///
    /// # Errors
    /// When the store cannot be read; the stream is then not complete.
    pub async fn next(&mut self) -> Result<Option<T>, Unavailable> {
        while self.chunk.len() == 0 && !self.is_complete {
            let chunk = self.chunks.recv().await;
            self.take(chunk)?;
        }
        Ok(self.chunk.next())
    }

    /// Like [`Self::next`], for a thread that may block.
    ///
    /// # Errors
    /// As for [`Self::next`].
    pub fn blocking_next(&mut self) -> Result<Option<T>, Unavailable> {
        while self.chunk.len() == 0 && !self.is_complete {
            let chunk = self.chunks.blocking_recv();
            self.take(chunk)?;
        }
        Ok(self.chunk.next())
    }

    fn take(&mut self, chunk: Option<Chunk<T>>) -> Result<(), Unavailable> {
        // An engine that stopped without an end has not sent everything.
        let chunk = chunk.unwrap_or(Err(Unavailable))?;
        self.is_complete = chunk.is_empty();
        self.chunk = chunk.into_iter();
        Ok(())
    }
}

impl Store {
    /// Streams the inquiries of a range as they are now, in order of their ids, that is, in the order they were stored. Withdrawn
    /// and erased ones are included while anything of them is kept. Must be called inside the runtime.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn records(&self, range: TimeRange) -> Result<InquiryRecords, Unavailable> {
        let first = first_since(range.since.map_or(0, millis));
        let is_meant = move |record: &InquiryRecord| range.contains(record.created_at());
        self.stream(Span::from(EntryKind::Inquiries, first), is_meant)
            .await
    }

    /// Like [`Self::records`], newest first, from before a given id; `None` begins with the newest.
    ///
    /// # Errors
    /// As for [`Self::records`].
    pub async fn newest_records(&self, before: Option<Uuid>) -> Result<InquiryRecords, Unavailable> {
        let span = Span {
            before: before.map(|before| before.as_bytes().to_vec()),
            ..Span::all(EntryKind::Inquiries).reversed()
        };
        self.stream(span, |_| true).await
    }

    /// Streams all subscriptions to the newsletter as they are now, including unconfirmed ones, in no particular order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscriptions(&self) -> Result<Records<Subscription>, Unavailable> {
        self.stream(Span::all(EntryKind::Subscriptions), |_| true).await
    }

    /// Streams the records of a span that pass `is_meant` from a thread of its own, which ends when the reader is gone.
    async fn stream<T: Deliverable + Send + 'static>(
        &self,
        span: Span,
        is_meant: impl Fn(&T) -> bool + Send + 'static,
    ) -> Result<Records<T>, Unavailable> {
        let kind = span.kind;
        let engine = Arc::clone(&self.engine);
        let begun = self.view(true, move |view| Ok((engine.count(kind)?, view)));
        let (total, view) = in_time(begun).await?;
        let (sender, chunks) = channel(AHEAD);
        spawn_blocking(move || {
            let mut chunk = Vec::new();
            let push = |key: Vec<u8>, value: Vec<u8>| {
                let record = StoredRecord::decode(&key, &value)?.record;
                chunk.extend(is_meant(&record).then_some(record));
                Ok(chunk.len() < CHUNK || sender.blocking_send(Ok(mem::take(&mut chunk))).is_ok())
            };
            let end = panics::catch(|| scan(&*view, span, push));
            // A reader that is gone needs neither.
            match end.unwrap_or_else(|panic| Err(EngineError::Lost(panic))) {
                Ok(()) => {
                    let _ = sender.blocking_send(Ok(chunk));
                    let _ = sender.blocking_send(Ok(Vec::new()));
                }
                Err(error) => {
                    tracing::error!(%error, "the store cannot be read");
                    let _ = sender.blocking_send(Err(Unavailable));
                }
            }
        });
        Ok(Records {
            total,
            chunks,
            chunk: Vec::new().into_iter(),
            is_complete: false,
        })
    }
}
