//! The engine for one machine: one redb file in the data directory. No other module knows redb.

pub mod backup;
mod check;
mod claims;
mod confirmations;
pub mod copy;
pub mod copying;
mod counts;
pub mod create;
mod database;
mod deliveries;
mod desk;
mod directory;
mod dossiers;
mod due_index;
pub mod erased_log;
mod error;
mod handle;
mod idempotency;
mod lazy_table;
mod migrations;
mod newsletter;
mod open;
mod open_error;
mod opening;
mod overlay;
mod place;
mod records;
mod referrals;
pub mod schema;
mod secrets;
mod snapshot;
mod subscriptions;
pub mod tables;
mod transaction;
pub mod transfer;
mod upkeep;
mod writer;

pub use super::clock::Clock;
pub use super::record;
pub use check::file as check_file;
pub use database::CACHE_BYTES;
pub use directory::{ERASED_FILE, FILE_NAME, LOCK_WAIT};
pub use open_error::{OTHER_WAYS, OpenError};
pub use snapshot::Snapshot;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use redb::ReadableDatabase;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use super::activity::Activity;
use super::counts::DayCounts;
use super::erasure::Erasure;
use super::error::{EraseError, InsertError, Unavailable, UpdateError};
use super::health::Health;
use super::idempotency_key::IdempotencyKey;
use super::insert::Insert;
use super::inserted::Inserted;
use super::keyed_request::KeyedRequest;
use super::update::Update;
use crate::inquiry::{Inquiry, NewInquiry};
use crate::matching::{Asks, FirmId};
use crate::referral::{Change, Dossier, NewReferral, Plan, Secret};
use handle::{Handle, Shared};
use writer::{Check, Count, Rewrite, Writer};

/// Reads at the same time, at most. One that hangs on a broken disk occupies a thread until the disk answers.
const READS: usize = 8;

/// How long an erasure may make no progress once it has begun: as long as a slow disk takes to sync what was copied.
const STALL: Duration = Duration::from_mins(1);

/// The file of inquiries, open.
pub struct Redb {
    handle: Shared,
    writer: Writer,
    health: Arc<Health>,
    activity: Arc<Activity>,
    secret: Secret,
    has_due: Arc<Notify>,
    /// Held while one caller writes to find out whether the disk can be written; others wait for its answer.
    checking: tokio::sync::Mutex<()>,
    reads: Arc<Semaphore>,
    clock: Clock,
    data_dir: PathBuf,
    warnings: Vec<String>,
}

impl Redb {
    /// Stores an inquiry durably, or finds the one that its key stands for.
    ///
    /// # Errors
    /// As for [`super::Store::insert`].
    pub async fn insert(
        &self,
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<IdempotencyKey>,
    ) -> Result<Inserted, InsertError> {
        self.writer
            .apply(Insert::new(inquiry, referral, key.as_ref(), &self.secret)?)
            .await?
    }

    /// Handles inquiries by a plan from now on.
    ///
    /// # Errors
    /// When the store has too much to do or is closed.
    pub fn follow(&self, plan: Arc<Plan>) -> Result<(), Unavailable> {
        self.writer.follow(plan)
    }

    /// Returns everything that is known of an inquiry.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn dossier(&self, id: Uuid) -> Result<Option<Dossier>, Unavailable> {
        self.read(move |handle| dossiers::read(&handle.begin_read()?, id))
            .await
    }

    /// Changes a referral durably.
    ///
    /// # Errors
    /// As for [`super::Store::update`].
    pub async fn update(&self, id: Uuid, change: Change) -> Result<Dossier, UpdateError> {
        self.writer.apply(Update::new(id, change)).await?
    }

    /// Adds to the counts of a day.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn count(&self, day: Date, counts: DayCounts) -> Result<(), Unavailable> {
        self.writer.apply(Count { day, counts }).await
    }

    /// Returns the counts of all days from one on.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        self.read(move |handle| counts::read(&handle.begin_read()?, since))
            .await
    }

    /// Returns what is remembered of each firm's asks.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, Asks>, Unavailable> {
        self.read(|handle| desk::read(&handle.begin_read()?)).await
    }

    /// Returns the time.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Returns what tokens follow from.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Returns the inquiry that a key stands for.
    ///
    /// # Errors
    /// As for [`super::Store::replay`].
    pub async fn replay(
        &self,
        key: &IdempotencyKey,
        inquiry: &NewInquiry,
        addition: &str,
    ) -> Result<Option<Inquiry>, InsertError> {
        let now = self.now();
        let request = KeyedRequest::new(key, inquiry, addition);
        let inquiry = inquiry.clone();
        self.read(move |handle| idempotency::replay(handle, &request, &inquiry, now))
            .await?
    }

    /// Returns what it has done so far.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Returns whether an inquiry could be stored now.
    pub async fn check_writable(&self) -> bool {
        if let Some(known) = self.health.known() {
            return known;
        }
        let _turn = self.checking.lock().await;
        if let Some(known) = self.health.known() {
            return known;
        }
        let is_writable = self.writer.apply(Check).await.is_ok();
        if !is_writable {
            self.health.set_unwritable();
        }
        is_writable
    }

    /// Returns the inquiries as they are now.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        self.read(|handle| Snapshot::new(&handle.begin_read()?, handle.keep_open()))
            .await
    }

    /// Erases inquiries for good. An erasure that cannot begin within the time is given up.
    ///
    /// # Errors
    /// As for [`super::Store::erase`].
    pub async fn erase(&self, what: Erasure, begin_within: Duration) -> Result<u64, EraseError> {
        let (begun, has_begun) = oneshot::channel();
        let (reply, mut replied) = oneshot::channel();
        self.writer.rewrite(Rewrite::Erase { what, begun, reply })?;
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

    /// Compacts the file if much of it is free, as happens by itself once a day; returns whether it did. Inquiries that
    /// arrive meanwhile wait.
    ///
    /// # Errors
    /// When the store has too much to do or is closed.
    pub async fn compact(&self) -> Result<bool, Unavailable> {
        let (reply, replied) = oneshot::channel();
        self.writer.rewrite(Rewrite::Compact { reply })?;
        replied.await.map_err(|_| Unavailable)
    }

    /// Stores what was asked for before and closes the file; returns whether that was done within the time.
    pub async fn close(&self, within: Duration) -> bool {
        let in_time = self.writer.stop(within).await;
        // The last commit says nothing about a closed file.
        self.health.forget();
        in_time
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Handle) -> Result<T, redb::Error> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let permit = Arc::clone(&self.reads).acquire_owned().await;
        let permit = permit.map_err(|_| Unavailable)?;
        let shared = Arc::clone(&self.handle);
        let reading = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let handle = shared.read();
            let handle = handle.as_ref().ok_or(Unavailable)?;
            error::attempt(|| read(handle)).map_err(|error| error::logged(&error))
        });
        reading.await.unwrap_or(Err(Unavailable))
    }
}

impl std::fmt::Debug for Redb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redb").finish_non_exhaustive()
    }
}
