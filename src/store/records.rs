//! What is read one after the other: which inquiries, and how they reach their reader, in constant memory.

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
use crate::store::entry::StoredRecord;
use crate::store::map::{EngineError, EntryKind, Span, scan};
use crate::store::values::ids::first_since;
use crate::store::values::millis;
use crate::store::{Store, Unavailable, in_time};

/// Records that are sent at once.
const CHUNK: usize = 256;

/// Chunks that are read ahead, so that reading and writing overlap.
const AHEAD: usize = 2;

/// Some records, none at the end, or an error, after which nothing follows.
type Chunk<T> = Result<Vec<T>, Unavailable>;

/// Everything that is known of inquiries, one after the other.
pub type InquiryRecords = Records<InquiryRecord>;

/// A stream of records as they were at one moment, which the store keeps for so long. Dropping it ends the reading.
#[derive(Debug)]
pub struct Records<T> {
    total: u64,
    chunks: Receiver<Chunk<T>>,
    chunk: IntoIter<T>,
    is_complete: bool,
}

impl<T> Records<T> {
    /// Returns about how many there are in the store, whatever range was asked for.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the next one; `None` after the last.
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

    /// As [`Self::next`], for a thread that may wait.
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
        // An engine that stopped without a word has not sent everything.
        let chunk = chunk.unwrap_or(Err(Unavailable))?;
        self.is_complete = chunk.is_empty();
        self.chunk = chunk.into_iter();
        Ok(())
    }
}

impl Store {
    /// Reads what is known of the inquiries of a range as it is now, in the order of their ids, that is, as they were stored. Those that
    /// were withdrawn or erased are among them while anything of them is kept. Must be called inside the runtime.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn records(&self, range: TimeRange) -> Result<InquiryRecords, Unavailable> {
        let first = first_since(range.since.map_or(0, millis));
        self.stream(Span::from(EntryKind::Inquiries, first), move |key, value| {
            let record = StoredRecord::<InquiryRecord>::decode(key, value)?.record;
            Ok(range.contains(record.created_at()).then_some(record))
        })
        .await
    }

    /// As [`Self::records`], the newest first, of those that came before one; `None` begins with the last.
    ///
    /// # Errors
    /// As there.
    pub async fn newest_records(&self, before: Option<Uuid>) -> Result<InquiryRecords, Unavailable> {
        let span = Span {
            before: before.map(|before| before.as_bytes().to_vec()),
            ..Span::all(EntryKind::Inquiries).reversed()
        };
        self.stream(span, |key, value| {
            Ok(Some(StoredRecord::<InquiryRecord>::decode(key, value)?.record))
        })
        .await
    }

    /// Reads all subscriptions to the newsletter as they are now, also those that wait to be confirmed, in no particular order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscriptions(&self) -> Result<Records<Subscription>, Unavailable> {
        self.stream(Span::all(EntryKind::Subscriptions), |key, value| {
            Ok(Some(StoredRecord::<Subscription>::decode(key, value)?.record))
        })
        .await
    }

    /// Reads the entries of a span on a thread of its own, which waits for the reader and ends when that is gone. Those of which `read`
    /// makes nothing are left out.
    async fn stream<T: Send + 'static>(
        &self,
        span: Span,
        read: impl Fn(&[u8], &[u8]) -> Result<Option<T>, EngineError> + Send + 'static,
    ) -> Result<Records<T>, Unavailable> {
        let kind = span.kind;
        let engine = Arc::clone(&self.engine);
        let begun = self.view(true, move |view| Ok((engine.count(kind)?, view)));
        let (total, view) = in_time(begun).await?;
        let (sender, chunks) = channel(AHEAD);
        spawn_blocking(move || {
            let mut chunk = Vec::new();
            let push = |key: Vec<u8>, value: Vec<u8>| {
                chunk.extend(read(&key, &value)?);
                Ok(chunk.len() < CHUNK || sender.blocking_send(Ok(mem::take(&mut chunk))).is_ok())
            };
            let end = panics::catch(|| scan(&*view, span, push));
            // A reader that is gone misses neither of these.
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
