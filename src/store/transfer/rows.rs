//! Rows on their way from one store to another.

use jiff::Timestamp;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::row::Row;
use super::tally::Tally;
use crate::store::error::Damaged;

/// Rows that are handed on together, so that handing them on costs little.
pub type Batch = Vec<Row>;

/// Rows in a batch: some 100 KiB.
const BATCH: usize = 512;

/// Batches that wait for the writer, at most.
const WAITING: usize = 4;

/// Collects rows from the source: leaves out what is of no use any more, counts, and gathers batches.
pub struct Rows {
    now: Timestamp,
    tally: Tally,
    batch: Batch,
    sender: Option<Sender<Batch>>,
}

impl Rows {
    /// Prepares reading a store as it is of use at a time, and returns where its rows arrive.
    pub fn sending(now: Timestamp) -> (Self, Receiver<Batch>) {
        let (sender, receiver) = channel(WAITING);
        (Self::to(now, Some(sender)), receiver)
    }

    /// Prepares reading a store only to count it.
    pub fn counting(now: Timestamp) -> Self {
        Self::to(now, None)
    }

    fn to(now: Timestamp, sender: Option<Sender<Batch>>) -> Self {
        Self {
            now,
            tally: Tally::default(),
            batch: Batch::new(),
            sender,
        }
    }

    /// Adds the row that is next; returns whether a batch is full, which is then to be sent.
    ///
    /// # Errors
    /// When its value cannot be read.
    pub fn add(&mut self, row: Row) -> Result<bool, Damaged> {
        row.check()?;
        if !row.is_of_use(self.now)? {
            return Ok(false);
        }
        self.tally.add(&row);
        if self.sender.is_some() {
            self.batch.push(row);
        }
        Ok(self.batch.len() >= BATCH)
    }

    /// Sends what was gathered; returns whether anybody takes it.
    pub async fn send(&mut self) -> bool {
        let batch = std::mem::take(&mut self.batch);
        match &self.sender {
            Some(sender) => sender.send(batch).await.is_ok(),
            None => true,
        }
    }

    /// As [`Self::send`], for a thread that may wait.
    pub fn blocking_send(&mut self) -> bool {
        let batch = std::mem::take(&mut self.batch);
        match &self.sender {
            Some(sender) => sender.blocking_send(batch).is_ok(),
            None => true,
        }
    }

    /// Returns what was read.
    pub fn into_tally(self) -> Tally {
        self.tally
    }
}
