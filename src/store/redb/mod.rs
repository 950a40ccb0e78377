//! The engine for one machine: one redb file in the data directory. No other module knows redb.

mod claims;
mod clock;
mod confirmations;
pub mod copy;
pub mod copying;
mod counts;
pub mod create;
mod database;
mod desk;
mod directory;
mod dossiers;
mod error;
mod handle;
mod health;
mod idempotency;
mod ids;
mod migrations;
mod open;
mod open_error;
mod overlay;
pub mod record;
mod referrals;
pub mod schema;
mod secrets;
mod snapshot;
mod subscriptions;
pub mod tables;
mod transaction;
mod writer;

pub use clock::Clock;
pub use database::CACHE_BYTES;
pub use directory::FILE_NAME;
pub use idempotency::REMEMBERED as KEYS_REMEMBERED;
pub use open_error::OpenError;
pub use snapshot::Snapshot;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::civil::Date;
use parking_lot::RwLock;
use redb::{ReadableDatabase, StorageBackend};
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use super::claimed::Claimed;
use super::counts::DayCounts;
use super::erasure::Erasure;
use super::error::{EraseError, InsertError, Unavailable, UpdateError};
use super::idempotency_key::IdempotencyKey;
use super::inserted::Inserted;
use crate::inquiry::{Inquiry, NewInquiry};
use crate::matching::{Asks, FirmId};
use crate::newsletter::Subscription;
use crate::referral::{Change, DeliveryId, Dossier, Lane, NewReferral, Outcome, Plan, Secret};
use claims::Claims;
use handle::{Handle, Shared};
use health::Health;
use open::Opened;
use schema::{SUBSCRIPTIONS, TRACES};
use writer::{
    COMPACT_AFTER_START, COMPACT_EVERY, Check, Count, DatabaseSource, FindDue, Insert, NEWSLETTER,
    NotUpdated, Parts, Rewrite, SubscriptionChange, Tick, Update, Upkeep, Writer,
};

/// How long the server waits for a file that another process holds. A command holds it only to find that no server
/// listens and, in that case, for as long as it reads: a second is enough for 100,000 inquiries. Before that the server
/// waits for an erasure to finish its file ([`directory::lock`]).
pub const LOCK_WAIT: Duration = Duration::from_secs(2);

/// Reads at the same time, at most. One that hangs on a broken disk occupies a thread until the disk answers.
const READS: usize = 8;

/// How long an erasure may make no progress once it has begun: as long as a slow disk takes to sync what was copied.
const STALL: Duration = Duration::from_mins(1);

/// How far the newest id may lie in the future before the operator is warned: clocks of servers differ by seconds.
const FUTURE: Duration = Duration::from_mins(5);

/// The file of inquiries, open.
pub struct Redb {
    handle: Shared,
    writer: Writer,
    health: Arc<Health>,
    secret: Secret,
    has_due: Arc<Notify>,
    /// Held while one caller writes to find out whether the disk can be written; others wait for its answer.
    checking: tokio::sync::Mutex<()>,
    reads: Arc<Semaphore>,
    clock: Clock,
    warnings: Vec<String>,
}

impl Redb {
    /// Opens the file in a directory and creates both if they are missing. Waits up to [`LOCK_WAIT`] for a file that
    /// another process holds.
    ///
    /// # Errors
    /// When it cannot be opened. An existing file is then as it was, byte for byte.
    pub fn open_or_create(data_dir: &Path) -> Result<Self, OpenError> {
        Self::open_with_clock(data_dir, LOCK_WAIT, Arc::new(Timestamp::now))
    }

    /// Opens the file with a clock of the caller's.
    ///
    /// # Errors
    /// As for [`Self::open_or_create`].
    pub fn open_with_clock(data_dir: &Path, wait: Duration, clock: Clock) -> Result<Self, OpenError> {
        let opened = open::or_create(data_dir, wait)?;
        Self::start(opened, DatabaseSource::file(data_dir), clock, COMPACT_AFTER_START)
    }

    /// Opens the file in a directory; creates nothing and waits for nothing.
    ///
    /// # Errors
    /// When it cannot be opened, [`OpenError::Locked`] when another process has it.
    pub fn open_existing(data_dir: &Path) -> Result<Self, OpenError> {
        let opened = open::existing(data_dir, Duration::ZERO)?;
        Self::start(
            opened,
            DatabaseSource::file(data_dir),
            Arc::new(Timestamp::now),
            COMPACT_EVERY,
        )
    }

    /// Opens the file that a storage of the caller's holds, such as a simulated disk, and opens it again from there
    /// after a fault. Erasures put their new file into the directory.
    ///
    /// # Errors
    /// When the storage does not hold inquiries.
    pub fn open_storage<B: StorageBackend>(
        data_dir: &Path,
        storage: impl Fn() -> std::io::Result<B> + Send + 'static,
        clock: Clock,
    ) -> Result<Self, OpenError> {
        let source = DatabaseSource::storage(data_dir, storage);
        let database = source.open()?;
        Self::start(Opened::from(database), source, clock, COMPACT_AFTER_START)
    }

    fn start(
        opened: Opened,
        source: DatabaseSource,
        clock: Clock,
        compact_after: Duration,
    ) -> Result<Self, OpenError> {
        let Opened {
            database,
            mut warnings,
        } = opened;
        let newest = error::attempt(|| ids::newest(&database));
        let newest = newest.map_err(|error| open_error::explain(source.data_dir(), error))?;
        warnings.extend(newest.and_then(|newest| from_the_future(newest, clock())));
        let traces = error::attempt(|| schema::flag(&database, TRACES));
        let has_traces = traces.map_err(|error| open_error::explain(source.data_dir(), error))?;
        let secret = error::attempt(|| secrets::read(&database));
        let secret = secret.map_err(|error| open_error::explain(source.data_dir(), error))?;
        let handle: Shared = Arc::new(RwLock::new(Some(Handle::from(database))));
        let health = Arc::new(Health::default());
        let has_due = Arc::new(Notify::new());
        let parts = Parts {
            handle: Arc::clone(&handle),
            health: Arc::clone(&health),
            clock: Arc::clone(&clock),
            claims: Claims::default(),
            secret: secret.clone(),
            has_due: Arc::clone(&has_due),
        };
        let writer = Writer::start(
            parts,
            source,
            Upkeep {
                compact_after,
                has_traces,
            },
        )
        .map_err(|source| OpenError::Thread { source })?;
        Ok(Self {
            handle,
            writer,
            health,
            secret,
            has_due,
            checking: tokio::sync::Mutex::new(()),
            reads: Arc::new(Semaphore::new(READS)),
            clock,
            warnings,
        })
    }

    /// Logs what the operator should know about the directory and the file as they were found.
    pub fn log_warnings(&self) {
        for warning in &self.warnings {
            tracing::warn!("{warning}");
        }
    }

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
            .apply(Insert::new(inquiry, referral, key.as_ref())?)
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
        let give_up_at = Instant::now() + super::DEADLINE;
        match self.writer.apply(Update::new(id, change, give_up_at)).await? {
            Ok(dossier) => Ok(dossier),
            Err(NotUpdated::Refused(refusal)) => Err(UpdateError::Refused(refusal)),
            Err(NotUpdated::TooLate) => Err(UpdateError::Unavailable),
        }
    }

    /// Claims deliveries that are due.
    ///
    /// # Errors
    /// As for [`super::Store::claim`].
    pub async fn claim(&self, lane: Lane, limit: usize) -> Result<Claimed, Unavailable> {
        self.writer.apply(FindDue { lane, limit }).await
    }

    /// Notes what came of a try.
    ///
    /// # Errors
    /// As for [`super::Store::settle`].
    pub async fn settle(
        &self,
        id: DeliveryId,
        is_newsletter: bool,
        outcome: Outcome,
    ) -> Result<(), Unavailable> {
        if is_newsletter {
            let change = SubscriptionChange::Settle(id.inquiry.into_bytes(), outcome);
            self.writer.apply(change).await?;
        } else {
            // Of an inquiry that is gone by now nothing is to be noted.
            let change = Change::Settle(id.number, outcome);
            let _ = self.writer.apply(Update::settled(id.inquiry, change)).await?;
        }
        Ok(())
    }

    /// Does some of what is due by the clock; returns how many that were.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        self.writer.apply(Tick).await
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

    /// Begins a subscription.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn subscribe(&self, email: String) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Request(email)).await
    }

    /// Confirms a subscription; returns whether there is one.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn confirm_subscription(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Confirm(key)).await
    }

    /// Ends a subscription; returns whether there was one.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Remove(key)).await
    }

    /// Returns the key of an address's subscription.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        self.secret.address_key(NEWSLETTER, email)
    }

    /// Returns a subscription.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn subscription(&self, key: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |handle| subscriptions::read(&handle.begin_read()?.open_table(SUBSCRIPTIONS)?, &key))
            .await
    }

    /// Returns all subscriptions.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn subscriptions(&self) -> Result<Vec<Subscription>, Unavailable> {
        self.read(|handle| subscriptions::read_all(&handle.begin_read()?))
            .await
    }

    /// Returns what is remembered of each firm's asks.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, Asks>, Unavailable> {
        self.read(|handle| desk::read(&handle.begin_read()?)).await
    }

    /// Returns what tokens follow from.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Waits until something may have become due.
    pub async fn has_due(&self) {
        self.has_due.notified().await;
    }

    /// Returns the inquiry that a key stands for.
    ///
    /// # Errors
    /// As for [`super::Store::replay`].
    pub async fn replay(
        &self,
        key: &IdempotencyKey,
        inquiry: &NewInquiry,
    ) -> Result<Option<Inquiry>, InsertError> {
        let now = (self.clock)();
        let request = idempotency::KeyedRequest::new(key, inquiry);
        let inquiry = inquiry.clone();
        self.read(move |handle| idempotency::replay(handle, &request, &inquiry, now))
            .await?
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

/// Returns a warning if the newest inquiry was stored by a clock that was ahead of today's.
fn from_the_future(newest: Timestamp, now: Timestamp) -> Option<String> {
    let is_ahead = newest.duration_since(now) > jiff::SignedDuration::try_from(FUTURE).unwrap_or_default();
    is_ahead.then(|| {
        format!(
            "the newest inquiry was stored at {newest}, which is in the future: check the clock; idempotency keys \
             of that time are kept until seven days after it"
        )
    })
}

impl std::fmt::Debug for Redb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redb").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newest_inquiry_from_the_future_is_a_warning() {
        let now: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
        for usual in ["2026-11-08T11:00:00Z", "2026-11-08T12:05:00Z"] {
            assert_eq!(from_the_future(usual.parse().unwrap(), now), None);
        }
        let warning = from_the_future("2027-01-01T00:00:00Z".parse().unwrap(), now).unwrap();
        assert!(
            warning.contains("2027-01-01T00:00:00Z, which is in the future"),
            "{warning}"
        );
    }

    #[tokio::test]
    async fn it_is_found_when_a_file_is_opened() {
        let dir = tempfile::tempdir().unwrap();
        let open = |time: &str| {
            let time: Timestamp = time.parse().unwrap();
            Redb::open_with_clock(dir.path(), Duration::ZERO, Arc::new(move || time)).unwrap()
        };
        let body = r#"{"postal_code":"20095","property_type":"residential","first_name":"Anna","last_name":"Meier",
            "email_address":"anna@example.de","phone_number":"+49 40 1234567"}"#;
        let inquiry = NewInquiry::parse(body.as_bytes(), "2026-11-08T12:00:00Z".parse().unwrap()).unwrap();
        let store = open("2027-01-01T00:00:00Z");
        assert!(store.warnings.is_empty());
        store.insert(inquiry, NewReferral::default(), None).await.unwrap();
        drop(store);
        assert_eq!(open("2026-11-08T12:00:00Z").warnings.len(), 1);
        assert!(open("2027-01-02T00:00:00Z").warnings.is_empty());
    }
}
