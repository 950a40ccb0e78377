//! Records on their way from an engine to a reader, in constant memory.

use std::mem;
use std::vec::IntoIter;

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;

use super::error::Unavailable;
use super::map::EngineError;
use crate::base::panics;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::InquiryRecord;

/// Records that an engine sends at once.
const CHUNK: usize = 256;

/// Chunks that an engine reads ahead, so that reading and writing overlap.
const AHEAD: usize = 2;

/// What an engine sends: some records, an empty chunk at the end, or an error, after which nothing follows.
type Chunk<T> = Result<Vec<T>, Unavailable>;

/// Everything that is known of inquiries, one after the other.
pub type InquiryRecords = Records<InquiryRecord>;

/// Subscriptions to the newsletter, one after the other.
pub type Subscriptions = Records<Subscription>;

/// Sends records, some at once; returns whether there still is a reader.
struct ChunkSender<T> {
    sender: Sender<Chunk<T>>,
    chunk: Vec<T>,
}

impl<T> ChunkSender<T> {
    fn push(&mut self, record: T) -> bool {
        self.chunk.push(record);
        if self.chunk.len() < CHUNK {
            return true;
        }
        let full = mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK));
        self.sender.blocking_send(Ok(full)).is_ok()
    }

    /// Sends what is left, and how reading ended: chunks after an error are of no use. A reader that is gone does not miss it.
    fn end(self, end: Result<(), Unavailable>) {
        let rest = (end.is_ok() && !self.chunk.is_empty()).then_some(Ok(self.chunk));
        for chunk in rest.into_iter().chain([end.map(|()| Vec::new())]) {
            let _ = self.sender.blocking_send(chunk);
        }
    }
}

/// A stream of records. Dropping it ends the reading.
#[derive(Debug)]
pub struct Records<T> {
    chunks: Receiver<Chunk<T>>,
    chunk: IntoIter<T>,
    is_complete: bool,
}

impl<T> Records<T> {
    /// Reads records on a thread of its own, which waits for the reader and ends when that is gone. `read` calls a function for each
    /// record, and ends when that returns `false`. Must run inside a runtime.
    pub(super) fn read(
        read: impl FnOnce(&mut dyn FnMut(T) -> bool) -> Result<(), EngineError> + Send + 'static,
    ) -> Self
    where
        T: Send + 'static,
    {
        let (sender, chunks) = channel(AHEAD);
        spawn_blocking(move || {
            let chunk = Vec::with_capacity(CHUNK);
            let mut sender = ChunkSender { sender, chunk };
            let end = panics::catch(|| read(&mut |record| sender.push(record)));
            let end = end.unwrap_or_else(|panic| Err(EngineError::Lost(panic)));
            sender.end(end.map_err(|error| {
                tracing::error!(%error, "the store cannot be read");
                Unavailable
            }));
        });
        Self {
            chunks,
            chunk: Vec::new().into_iter(),
            is_complete: false,
        }
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
