//! The engine for one machine: one redb file in the data directory. No other module knows redb.

mod check;
mod confirmations;
pub mod copy;
pub mod copying;
pub mod create;
mod database;
pub mod directory;
mod due_index;
pub mod erasure_log;
mod error;
mod handle;
pub mod image;
mod lazy_table;
mod memory;
mod migrations;
pub mod open;
mod open_error;
mod open_tables;
mod opening;
mod overlay;
mod place;
mod reads;
pub mod schema;
mod secrets;
mod snapshot;
mod source;
pub mod tables;
mod transaction;
pub mod transfer;
mod turns;
mod wipe_schedule;
mod writer;

pub use super::core::record;
pub use super::time::Clock;
pub use check::file as check_file;
pub use database::CACHE_BYTES;
pub use directory::{ERASED_FILE, FILE_NAME, LOCK_WAIT};
pub use open_error::{OTHER_WAYS, OpenError};
/// What the file's library says.
pub use redb::Error as FileError;
pub use snapshot::Snapshot;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use redb::{ReadTransaction, ReadableDatabase};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use uuid::Uuid;

use super::core::{KeyEntry, KeyName, PhotoKey};
use super::erasure::Erasure;
use super::error::{EraseError, Unavailable};
use super::facts::DayCounts;
use super::facts::Facts;
use super::findings::Findings;
use super::stream::Subscriptions;
use super::writer::{Message, Rewrite, Writer};
use crate::ledger::{Acceptance, Closing, Month};
use crate::matching::{FirmId, RequestHistory};
use crate::newsletter::Subscription;
use crate::photo::PhotoSize;
use crate::referral::{InquiryRecord, Secret};
use error::{attempt, logged};
use handle::{KeepOpen, Shared};
use schema::{Id, PHOTOS, SUBSCRIPTIONS};

/// Reads at the same time, at most. One that hangs on a broken disk occupies a thread until the disk answers.
const READS: usize = 8;

/// How long an erasure may make no progress once it has begun: as long as a slow disk takes to sync what was copied.
const STALL: Duration = Duration::from_mins(1);

/// The file of inquiries, open for reading, and for new files in its place.
pub struct Redb {
    handle: Shared,
    secret: Secret,
    reads: Arc<Semaphore>,
    clock: Clock,
    warnings: Vec<String>,
}

impl Redb {
    /// Logs what the operator should know about the directory and the file as they were found.
    pub fn log_warnings(&self) {
        for warning in &self.warnings {
            tracing::warn!("{warning}");
        }
    }

    /// Returns the time.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Returns what tokens follow from.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Reads everything that is known of an inquiry.
    ///
    /// # Errors
    /// While the file cannot be read, as for all that read.
    pub async fn record(&self, id: Uuid) -> Result<Option<InquiryRecord>, Unavailable> {
        self.read(move |file, _| reads::record_of(&file, id)).await
    }

    /// Reads what is known of an idempotency key.
    pub async fn key(&self, name: KeyName) -> Result<Option<KeyEntry>, Unavailable> {
        self.read(move |file, _| reads::key_of(&file, &name)).await
    }

    /// Reads a subscription.
    pub async fn subscription(&self, key: Id) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |file, _| reads::subscription(&file.open_table(SUBSCRIPTIONS)?, &key))
            .await
    }

    /// Reads the counts of all days from one on.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        self.read(move |file, _| reads::counts(&file, since)).await
    }

    /// Reads what is remembered of each firm's asks.
    pub async fn asks(&self) -> Result<HashMap<FirmId, RequestHistory>, Unavailable> {
        self.read(|file, _| turns::read(&file)).await
    }

    /// Reads what the file says of its backups, of the time, of pauses and of reviews.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        self.read(|file, _| reads::facts(&file)).await
    }

    /// Reads the time that one fact says.
    pub async fn fact(&self, name: String) -> Result<Option<Timestamp>, Unavailable> {
        self.read(move |file, _| schema::time(&file, &name)).await
    }

    /// Reads what the ledger has of an inquiry.
    pub async fn acceptances_of(&self, inquiry: Uuid) -> Result<Vec<Acceptance>, Unavailable> {
        self.read(move |file, _| reads::acceptances_of(&file, inquiry))
            .await
    }

    /// Reads the acceptances of a month.
    pub async fn acceptances_in(&self, month: Month) -> Result<Vec<Acceptance>, Unavailable> {
        self.read(move |file, _| reads::acceptances_in(&file, month))
            .await
    }

    /// Reads a photo.
    pub async fn photo(
        &self,
        (inquiry, number): PhotoKey,
        size: PhotoSize,
    ) -> Result<Option<Vec<u8>>, Unavailable> {
        self.read(move |file, _| {
            let key = (inquiry.as_bytes(), number, size.number());
            Ok(file
                .open_table(PHOTOS)?
                .get(key)?
                .map(|jpeg| jpeg.value().to_vec()))
        })
        .await
    }

    /// Reads which months are closed.
    pub async fn closings(&self) -> Result<BTreeMap<Month, Closing>, Unavailable> {
        self.read(|file, _| reads::closings_of(&file)).await
    }

    /// Returns the inquiries as they are now.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        self.read(|file, keep_open| Snapshot::new(&file, keep_open)).await
    }

    /// Returns all subscriptions as they are now. A thread of its own reads them, which waits for the reader and ends when
    /// that is gone.
    pub async fn subscriptions(&self) -> Result<Subscriptions, Unavailable> {
        let opened = self.read(|file, keep_open| Ok((file.open_table(SUBSCRIPTIONS)?, keep_open)));
        let (table, keep_open) = opened.await?;
        let (mut sender, stream) = Subscriptions::channel();
        spawn_blocking(move || {
            let end = attempt(|| snapshot::send_subscriptions(&table, &mut sender));
            // Closed before the file that it is read from.
            drop(table);
            drop(keep_open);
            sender.blocking_end(end.map_err(|error| logged(&error)));
        });
        Ok(stream)
    }

    /// Reads every record as it is now, however long that takes.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        let (file, keep_open) = self.read(|file, keep_open| Ok((file, keep_open))).await?;
        let checking = spawn_blocking(move || {
            let findings = check::records(&file);
            // As above.
            drop(file);
            drop(keep_open);
            findings
        });
        checking.await.map_err(|_| Unavailable)
    }

    /// Returns everything as it is now, for a backup. Inquiries are stored meanwhile.
    pub async fn source(&self) -> Result<transfer::Source, Unavailable> {
        self.read(|file, keep_open| Ok(transfer::Source::of(file, keep_open)))
            .await
    }

    /// Erases inquiries for good. An erasure that cannot begin within the time is given up.
    ///
    /// # Errors
    /// As for [`super::Store::erase`].
    pub async fn erase(
        &self,
        writer: &Writer,
        what: Erasure,
        begin_within: Duration,
    ) -> Result<u64, EraseError> {
        let (begun, has_begun) = oneshot::channel();
        let (reply, mut replied) = oneshot::channel();
        writer.send(Message::Rewrite(Rewrite::Erase { what, begun, reply }))?;
        // If not, either the writer has ended, or it finds later that nobody waits.
        let Ok(Ok(progress)) = timeout(begin_within, has_begun).await else {
            return Err(EraseError::Unavailable);
        };
        let mut before = progress.count();
        loop {
            if let Ok(erased) = timeout(STALL, &mut replied).await {
                return erased.unwrap_or(Err(EraseError::Unavailable));
            }
            let now = progress.count();
            if now == before {
                return Err(EraseError::Stalled);
            }
            before = now;
        }
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(ReadTransaction, KeepOpen) -> Result<T, redb::Error> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let permit = Arc::clone(&self.reads).acquire_owned().await;
        let permit = permit.map_err(|_| Unavailable)?;
        let shared = Arc::clone(&self.handle);
        let reading = spawn_blocking(move || {
            let _permit = permit;
            let handle = shared.read();
            let handle = handle.as_ref().ok_or(Unavailable)?;
            attempt(|| read(handle.begin_read()?, handle.keep_open())).map_err(|error| logged(&error))
        });
        reading.await.unwrap_or(Err(Unavailable))
    }
}

impl std::fmt::Debug for Redb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redb").finish_non_exhaustive()
    }
}
