//! Reading: the inquiries of a file as they were at one moment.

use std::fmt;

use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, ReadableTableMetadata};
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
use crate::store::stream::{ChunkSender, InquiryRecords};

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
        let (mut sender, stream) = InquiryRecords::channel();
        tokio::task::spawn_blocking(move || {
            // As a whole, so that the file stays open.
            let snapshot = self;
            let end = attempt(|| walk(&snapshot.tables, &mut |record| sender.blocking_push(record)));
            sender.blocking_end(end.map_err(|error| logged(&error)));
        });
        stream
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
    sender: &mut ChunkSender<Subscription>,
) -> Result<(), redb::Error> {
    for entry in table.iter()? {
        if !sender.blocking_push(subscription_record::decode(entry?.1.value())?) {
            break;
        }
    }
    Ok(())
}
