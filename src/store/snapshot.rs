//! Reading: the inquiries as they were at one moment.

use uuid::Uuid;

use super::selection::TimeRange;
use super::stream::InquiryRecords;
use super::{postgres, redb};

/// The inquiries at one moment. The store keeps them for as long as the snapshot, or a stream of it, exists.
#[derive(Debug)]
pub enum Snapshot {
    /// Of the redb engine.
    Redb(redb::Snapshot),
    /// Of the PostgreSQL engine.
    Postgres(postgres::Snapshot),
}

impl Snapshot {
    /// Returns how many inquiries there are, in all; PostgreSQL only knows about how many.
    pub fn count(&self) -> u64 {
        match self {
            Self::Redb(snapshot) => snapshot.count(),
            Self::Postgres(snapshot) => snapshot.count(),
        }
    }

    /// Starts to read what is known of the inquiries of a range in the order of their ids, that is, as they were stored;
    /// in constant memory. Those that were withdrawn or erased are among them while anything of them is kept. Must run
    /// inside the runtime.
    pub fn into_records(self, range: TimeRange) -> InquiryRecords {
        match self {
            Self::Redb(snapshot) => snapshot.into_records(range),
            Self::Postgres(snapshot) => snapshot.into_records(range),
        }
    }

    /// As [`Self::into_records`], the newest first, of those that came before one; `None` begins with the last.
    pub fn into_newest(self, before: Option<Uuid>) -> InquiryRecords {
        match self {
            Self::Redb(snapshot) => snapshot.into_newest(before),
            Self::Postgres(snapshot) => snapshot.into_newest(before),
        }
    }
}
