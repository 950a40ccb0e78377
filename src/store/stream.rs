//! Records on their way from an engine to a reader, in constant memory.

use std::vec::IntoIter;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::error::Unavailable;
use crate::newsletter::Subscription;
use crate::referral::InquiryRecord;

/// Records that an engine sends at once.
pub const CHUNK: usize = 256;

/// Chunks that an engine reads ahead, so that reading and writing overlap.
const AHEAD: usize = 2;

/// What an engine sends: some records, an empty chunk at the end, or an error, after which nothing follows.
pub type Chunk<T> = Result<Vec<T>, Unavailable>;

/// Everything that is known of inquiries, one after the other.
pub type InquiryRecords = Records<InquiryRecord>;

/// Subscriptions to the newsletter, one after the other.
pub type Subscriptions = Records<Subscription>;

/// A stream of records. Dropping it ends the reading.
#[derive(Debug)]
pub struct Records<T> {
    chunks: Receiver<Chunk<T>>,
    chunk: IntoIter<T>,
    is_complete: bool,
}

impl<T> Records<T> {
    /// Returns a stream and the sender that feeds it.
    pub(super) fn channel() -> (Sender<Chunk<T>>, Self) {
        let (sender, chunks) = channel(AHEAD);
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
