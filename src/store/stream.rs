//! Records on their way from an engine to a reader, in constant memory.

use std::mem;
use std::vec::IntoIter;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::error::Unavailable;
use crate::newsletter::Subscription;
use crate::referral::InquiryRecord;

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

/// Feeds a stream of records.
pub struct ChunkSender<T> {
    sender: Sender<Chunk<T>>,
    chunk: Vec<T>,
}

impl<T> ChunkSender<T> {
    /// Sends a record, together with others; returns whether there still is a reader.
    pub async fn push(&mut self, record: T) -> bool {
        match self.add(record) {
            Some(full) => self.sender.send(Ok(full)).await.is_ok(),
            None => true,
        }
    }

    /// As [`Self::push`], on a thread that may wait.
    pub fn blocking_push(&mut self, record: T) -> bool {
        match self.add(record) {
            Some(full) => self.sender.blocking_send(Ok(full)).is_ok(),
            None => true,
        }
    }

    /// Sends what is left, and how reading ended. A reader that is gone does not miss it.
    pub async fn end(self, end: Result<(), Unavailable>) {
        for chunk in last(self.chunk, end) {
            let _ = self.sender.send(chunk).await;
        }
    }

    /// As [`Self::end`], on a thread that may wait.
    pub fn blocking_end(self, end: Result<(), Unavailable>) {
        for chunk in last(self.chunk, end) {
            let _ = self.sender.blocking_send(chunk);
        }
    }

    /// Adds a record; returns the chunk once it is full.
    fn add(&mut self, record: T) -> Option<Vec<T>> {
        self.chunk.push(record);
        (self.chunk.len() == CHUNK).then(|| mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK)))
    }
}

/// Returns the last chunks: those after an error are of no use.
fn last<T>(chunk: Vec<T>, end: Result<(), Unavailable>) -> impl Iterator<Item = Chunk<T>> {
    let rest = (end.is_ok() && !chunk.is_empty()).then_some(Ok(chunk));
    rest.into_iter().chain([end.map(|()| Vec::new())])
}

/// A stream of records. Dropping it ends the reading.
#[derive(Debug)]
pub struct Records<T> {
    chunks: Receiver<Chunk<T>>,
    chunk: IntoIter<T>,
    is_complete: bool,
}

impl<T> Records<T> {
    /// Returns a stream and the sender that feeds it.
    pub(super) fn channel() -> (ChunkSender<T>, Self) {
        let (sender, chunks) = channel(AHEAD);
        let sender = ChunkSender {
            sender,
            chunk: Vec::with_capacity(CHUNK),
        };
        let stream = Self {
            chunks,
            chunk: Vec::new().into_iter(),
            is_complete: false,
        };
        (sender, stream)
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
