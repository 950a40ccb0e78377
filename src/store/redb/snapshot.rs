//! Reading: the inquiries of a file as they were at one moment.

use std::fmt;

use redb::{ReadTransaction, ReadableTableMetadata};
use tokio::sync::mpsc::Sender;

use super::dossiers::Tables;
use super::error::{attempt, logged};
use super::handle::KeepOpen;
use super::schema::millis;
use crate::referral::Dossier;
use crate::store::ids;
use crate::store::selection::TimeRange;
use crate::store::stream::{CHUNK, Chunk, Dossiers};

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
    pub fn into_dossiers(self, range: TimeRange) -> Dossiers {
        let (sender, stream) = Dossiers::channel();
        tokio::task::spawn_blocking(move || {
            let end = attempt(|| self.send(range, &sender)).map_err(|error| logged(&error));
            // A reader that is gone does not miss it.
            let _ = sender.blocking_send(end.map(|()| Vec::new()));
        });
        stream
    }

    /// Sends all but the end. Returns early when the reader is gone.
    fn send(&self, range: TimeRange, sender: &Sender<Chunk<Dossier>>) -> Result<(), redb::Error> {
        let first = ids::first_since(range.since.map_or(0, millis));
        let mut chunk = Vec::with_capacity(CHUNK);
        self.tables.walk(&first, |dossier| {
            if range.contains(dossier.created_at()) {
                chunk.push(dossier);
            }
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
