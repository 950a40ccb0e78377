//! Reading: the inquiries of a file as they were at one moment.

use std::fmt;

use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, ReadableTableMetadata};
use tokio::sync::mpsc::Sender;
use uuid::Uuid;

use super::error::{attempt, logged};
use super::handle::KeepOpen;
use super::reads::Tables;
use super::schema::{Id, millis};
use crate::newsletter::Subscription;
use crate::referral::InquiryRecord;
use crate::store::core::first_since;
use crate::store::core::subscription_record;
use crate::store::selection::TimeRange;
use crate::store::stream::{CHUNK, Chunk, InquiryRecords};

/// The inquiries at one moment. While it exists, the file keeps what it shows.
pub struct Snapshot {
    // Closed before the file that it is read from.
    tables: Tables,
    count: u64,
    /// Keeps a file open that is replaced meanwhile.
    _keep_open: KeepOpen,
}

impl Snapshot {
    /// Opens what a transaction shows.
    pub(super) fn new(transaction: &ReadTransaction, keep_open: KeepOpen) -> Result<Self, redb::Error> {
        let tables = Tables::open(transaction)?;
        Ok(Self {
            count: tables.inquiries().len()?,
            tables,
            _keep_open: keep_open,
        })
    }

    /// Returns how many inquiries there are, in all.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Reads what is known of the inquiries of a range on a thread of its own, which waits for the reader and ends when
    /// that is gone.
    pub fn into_records(self, range: TimeRange) -> InquiryRecords {
        self.stream(move |tables, each| {
            let first = first_since(range.since.map_or(0, millis));
            tables.walk(&first, |record| {
                !range.contains(record.created_at()) || each(record)
            })
        })
    }

    /// Reads what came before an inquiry likewise, the newest first.
    pub fn into_newest(self, before: Option<Uuid>) -> InquiryRecords {
        self.stream(move |tables, each| tables.walk_back(before.map(Uuid::into_bytes), each))
    }

    fn stream(
        self,
        walk: impl FnOnce(&Tables, &mut dyn FnMut(InquiryRecord) -> bool) -> Result<(), redb::Error>
        + Send
        + 'static,
    ) -> InquiryRecords {
        let (sender, stream) = InquiryRecords::channel();
        tokio::task::spawn_blocking(move || {
            let end = attempt(|| self.send(walk, &sender)).map_err(|error| logged(&error));
            // A reader that is gone does not miss it.
            let _ = sender.blocking_send(end.map(|()| Vec::new()));
        });
        stream
    }

    /// Sends all but the end. Returns early when the reader is gone.
    fn send(
        &self,
        walk: impl FnOnce(&Tables, &mut dyn FnMut(InquiryRecord) -> bool) -> Result<(), redb::Error>,
        sender: &Sender<Chunk<InquiryRecord>>,
    ) -> Result<(), redb::Error> {
        let mut chunk = Vec::with_capacity(CHUNK);
        walk(&self.tables, &mut |record| {
            chunk.push(record);
            if chunk.len() < CHUNK {
                return true;
            }
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            sender.blocking_send(Ok(full)).is_ok()
        })?;
        if !chunk.is_empty() {
            // As above: a reader that is gone does not miss it.
            let _ = sender.blocking_send(Ok(chunk));
        }
        Ok(())
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

/// Sends all subscriptions but the end. Returns early when the reader is gone.
pub fn send_subscriptions(
    table: &ReadOnlyTable<&'static Id, &'static [u8]>,
    sender: &Sender<Chunk<Subscription>>,
) -> Result<(), redb::Error> {
    let mut chunk = Vec::with_capacity(CHUNK);
    for entry in table.iter()? {
        chunk.push(subscription_record::decode(entry?.1.value())?);
        if chunk.len() == CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if sender.blocking_send(Ok(full)).is_err() {
                return Ok(());
            }
        }
    }
    if !chunk.is_empty() {
        // As above: a reader that is gone does not miss it.
        let _ = sender.blocking_send(Ok(chunk));
    }
    Ok(())
}
