//! Where inquiries are kept. The rest of the program knows this facade and not which engine does the work: [`redb`], a file
//! in the data directory, or [`postgres`], a database that several instances share. Every method that waits for a disk has a deadline, and none blocks the calling thread.

mod activity;
mod claimed;
mod clock;
mod confirmation;
mod copy;
pub mod counts;
mod damaged;
mod database_backup;
pub mod erased_list;
mod erasure;
mod error;
pub mod facts;
mod findings;
mod health;
mod held;
mod idempotency_key;
mod ids;
mod inserted;
mod keyed_request;
mod location;
mod millis;
mod open_error;
pub mod postgres;
pub mod record;
pub mod redb;
mod referral_record;
mod selection;
mod snapshot;
mod stream;
mod subscription_record;
pub mod transfer;

pub use activity::Activity;
pub use claimed::{Claim, Claimed, Delivering};
pub use clock::Clock;
pub use copy::{CopyError, CopySource, CopyTarget, copy};
pub use counts::DayCounts;
pub use database_backup::RestoreError;
pub use erased_list::ErasedListError;
pub use erasure::Erasure;
pub use error::{EraseError, InsertError, Unavailable, UpdateError};
pub use facts::Facts;
pub use findings::Findings;
pub use idempotency_key::IdempotencyKey;
pub use inserted::Inserted;
pub use keyed_request::REMEMBERED as KEYS_REMEMBERED;
pub use location::{Location, LocationError};
pub use open_error::OpenError;
pub use postgres::shared::{Counted as CountedRequest, Shared};
pub use redb::backup::{Backup, BackupError, Image, Restored, restore};
pub use redb::{ERASED_FILE, FILE_NAME};
pub use selection::{Selection, Suspected, TimeRange};
pub use snapshot::Snapshot;
pub use stream::{Dossiers, Subscriptions};

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use tokio::time::timeout;
use uuid::Uuid;

use crate::inquiry::{Inquiry, NewInquiry};
use crate::matching::{Asks, FirmId};
use crate::newsletter::Subscription;
use crate::referral::{Change, DeliveryId, Dossier, Lane, NewReferral, Outcome, Plan, Secret};
use postgres::{Connector, Postgres};
use redb::Redb;

/// How long a caller waits for the disk before it hears that the store is unavailable. A visitor then has an answer
/// within 10 s.
pub const DEADLINE: Duration = Duration::from_secs(8);

/// The stored inquiries. Dropping it closes the engine.
#[derive(Debug)]
pub enum Store {
    /// One redb file in a data directory.
    Redb(Redb),
    /// A PostgreSQL database, which several instances may share.
    Postgres(Postgres),
}

impl Store {
    /// Opens the store in a directory, for a server; creates directory and file if they are missing. Waits up to two
    /// seconds for a file that another process holds.
    ///
    /// # Errors
    /// When it cannot be opened. An existing file is then as it was, byte for byte.
    pub fn open(data_dir: &Path) -> Result<Self, OpenError> {
        Ok(Self::Redb(Redb::open_or_create(data_dir)?))
    }

    /// Opens the store in a directory, for a command; creates nothing and waits for nothing.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server has it.
    pub fn open_existing(data_dir: &Path) -> Result<Self, OpenError> {
        Ok(Self::Redb(Redb::open_existing(data_dir)?))
    }

    /// Opens the store in a database, for a server. While the database cannot be reached, the store is there all the same and
    /// unavailable, and recovers by itself.
    ///
    /// # Errors
    /// When the database was reached and cannot be used.
    pub async fn connect(connector: Connector) -> Result<Self, OpenError> {
        Ok(Self::Postgres(Postgres::connect(connector).await?))
    }

    /// Opens the store in a database, for a command.
    ///
    /// # Errors
    /// When the database cannot be reached or used.
    pub async fn connect_now(connector: Connector) -> Result<Self, OpenError> {
        Ok(Self::Postgres(Postgres::connect_now(connector).await?))
    }

    /// Logs what the operator should know about the store as it was found. Opening it does not, since a server starts to
    /// log only once its start has succeeded.
    pub fn log_warnings(&self) {
        match self {
            Self::Redb(store) => store.log_warnings(),
            Self::Postgres(store) => store.log_warnings(),
        }
    }

    /// Stores an inquiry, and in the same transaction whom to tell of it; returns once it is durably on disk. A repeated
    /// request with the same key gets the inquiry that the first one stored.
    ///
    /// # Errors
    /// [`InsertError::KeyReused`] when the key came with another request before, else
    /// [`InsertError::Unavailable`]. Then nothing was stored, unless the disk failed in the very last step or hangs:
    /// only repeating the request with its key tells.
    pub async fn insert(
        &self,
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<IdempotencyKey>,
    ) -> Result<Inserted, InsertError> {
        let inserted = match self {
            Self::Redb(store) => timeout(DEADLINE, store.insert(inquiry, referral, key)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.insert(inquiry, referral, key)).await,
        };
        inserted.unwrap_or_else(|_| {
            tracing::error!("an inquiry was not stored in time; does the disk hang?");
            Err(InsertError::Unavailable)
        })
    }

    /// Returns what a request with this key gets without storing anything: the inquiry stored before, or `None` if the
    /// key is new. [`Self::insert`] finds that out by itself; this is for a request that must not store anything.
    ///
    /// # Errors
    /// As for [`Self::insert`].
    pub async fn replay(
        &self,
        key: &IdempotencyKey,
        inquiry: &NewInquiry,
    ) -> Result<Option<Inquiry>, InsertError> {
        let replayed = match self {
            Self::Redb(store) => timeout(DEADLINE, store.replay(key, inquiry)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.replay(key, inquiry)).await,
        };
        replayed.unwrap_or(Err(InsertError::Unavailable))
    }

    /// Handles inquiries by a plan from now on. Until the first call nobody is told of them.
    ///
    /// # Errors
    /// When the store has too much to do or is closed.
    pub fn follow(&self, plan: Arc<Plan>) -> Result<(), Unavailable> {
        match self {
            Self::Redb(store) => store.follow(plan),
            Self::Postgres(store) => store.follow(plan),
        }
    }

    /// Returns everything that is known of an inquiry, also of one that was withdrawn; `None` if there is nothing.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn dossier(&self, id: Uuid) -> Result<Option<Dossier>, Unavailable> {
        let dossier = match self {
            Self::Redb(store) => timeout(DEADLINE, store.dossier(id)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.dossier(id)).await,
        };
        dossier.unwrap_or(Err(Unavailable))
    }

    /// Changes a referral; returns what is known of the inquiry afterwards, once that is durable.
    ///
    /// # Errors
    /// [`UpdateError::Refused`] when it cannot happen, else [`UpdateError::Unavailable`].
    pub async fn update(&self, id: Uuid, change: Change) -> Result<Dossier, UpdateError> {
        let updated = match self {
            Self::Redb(store) => timeout(DEADLINE, store.update(id, change)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.update(id, change)).await,
        };
        updated.unwrap_or(Err(UpdateError::Unavailable))
    }

    /// Claims deliveries of a lane that are due, the longest due first, at most `limit`. Nobody else gets them until they
    /// are settled, or the process has ended.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn claim(&self, lane: Lane, limit: usize) -> Result<Claimed, Unavailable> {
        let claimed = match self {
            Self::Redb(store) => timeout(DEADLINE, store.claim(lane, limit)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.claim(lane, limit)).await,
        };
        claimed.unwrap_or(Err(Unavailable))
    }

    /// Notes what came of a claimed delivery, durably. It is made sure of even behind the deadline.
    ///
    /// # Errors
    /// While the store cannot be written: the delivery stays claimed, so call again.
    pub async fn settle(&self, claim: &Claim, outcome: Outcome) -> Result<(), Unavailable> {
        match self {
            Self::Redb(store) => store.settle(claim, outcome).await,
            Self::Postgres(store) => store.settle(claim, outcome).await,
        }
    }

    /// Does some of what is due by the clock: passes over firms that have not answered, begins released inquiries, forgets
    /// what is over. Returns how many that were; call again unless it is 0.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        let done = match self {
            Self::Redb(store) => timeout(DEADLINE, store.tick()).await,
            Self::Postgres(store) => timeout(DEADLINE, store.tick()).await,
        };
        done.unwrap_or(Err(Unavailable))
    }

    /// Waits until something may have become due. Only one task may wait.
    pub async fn has_due(&self) {
        match self {
            Self::Redb(store) => store.has_due().await,
            Self::Postgres(store) => store.has_due().await,
        }
    }

    /// Adds to the counts of a day.
    ///
    /// # Errors
    /// While the store cannot be written; then nothing was added, unless the disk hangs.
    pub async fn count(&self, day: Date, counts: DayCounts) -> Result<(), Unavailable> {
        let counted = match self {
            Self::Redb(store) => timeout(DEADLINE, store.count(day, counts)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.count(day, counts)).await,
        };
        counted.unwrap_or(Err(Unavailable))
    }

    /// Returns the counts of all days from one on, in order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn counts(&self, since: Date) -> Result<Vec<(Date, DayCounts)>, Unavailable> {
        let counts = match self {
            Self::Redb(store) => timeout(DEADLINE, store.counts(since)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.counts(since)).await,
        };
        counts.unwrap_or(Err(Unavailable))
    }

    /// Begins a subscription to the newsletter, unless the address has one or has got too many mails; returns whether it
    /// did. Nobody but the address itself may hear which of these it was.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn subscribe(&self, email: String) -> Result<bool, Unavailable> {
        let subscribed = match self {
            Self::Redb(store) => timeout(DEADLINE, store.subscribe(email)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.subscribe(email)).await,
        };
        subscribed.unwrap_or(Err(Unavailable))
    }

    /// Confirms a subscription that was asked for at some time; a token says both. Returns whether there is one.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn confirm_subscription(
        &self,
        key: [u8; 16],
        requested_at: Timestamp,
    ) -> Result<bool, Unavailable> {
        let confirmed = match self {
            Self::Redb(store) => timeout(DEADLINE, store.confirm_subscription(key, requested_at)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.confirm_subscription(key, requested_at)).await,
        };
        confirmed.unwrap_or(Err(Unavailable))
    }

    /// Has the mail of a subscription tried now; returns whether there is such a mail that waits or has failed.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn retry_subscription(&self, delivery: DeliveryId) -> Result<bool, Unavailable> {
        let retried = match self {
            Self::Redb(store) => timeout(DEADLINE, store.retry_subscription(delivery)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.retry_subscription(delivery)).await,
        };
        retried.unwrap_or(Err(Unavailable))
    }

    /// Ends a subscription; returns whether there was one. Nothing of it is kept.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        let ended = match self {
            Self::Redb(store) => timeout(DEADLINE, store.unsubscribe(key)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.unsubscribe(key)).await,
        };
        ended.unwrap_or(Err(Unavailable))
    }

    /// Returns the subscription that a key names.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscription(&self, key: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        let found = match self {
            Self::Redb(store) => timeout(DEADLINE, store.subscription(key)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.subscription(key)).await,
        };
        found.unwrap_or(Err(Unavailable))
    }

    /// Returns all subscriptions as they are now, also those that wait to be confirmed, in no particular order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscriptions(&self) -> Result<Subscriptions, Unavailable> {
        let found = match self {
            Self::Redb(store) => timeout(DEADLINE, store.subscriptions()).await,
            Self::Postgres(store) => timeout(DEADLINE, store.subscriptions()).await,
        };
        found.unwrap_or(Err(Unavailable))
    }

    /// Returns the key of the subscription that an address has, or would have.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        match self {
            Self::Redb(store) => store.subscription_key(email),
            Self::Postgres(store) => store.subscription_key(email),
        }
    }

    /// Returns what is remembered of each firm's asks, whether or not it is configured now.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, Asks>, Unavailable> {
        let asks = match self {
            Self::Redb(store) => timeout(DEADLINE, store.asks()).await,
            Self::Postgres(store) => timeout(DEADLINE, store.asks()).await,
        };
        asks.unwrap_or(Err(Unavailable))
    }

    /// Makes sure that [`Self::secret`] is known. A file has it whenever it is open; a database must have been reached.
    ///
    /// # Errors
    /// While it is not.
    pub async fn must_be_known(&self) -> Result<(), Unavailable> {
        let known = match self {
            Self::Redb(_) => return Ok(()),
            Self::Postgres(store) => timeout(DEADLINE, store.must_be_known()).await,
        };
        known.unwrap_or(Err(Unavailable))
    }

    /// Returns the secret from which the tokens of private pages follow.
    pub fn secret(&self) -> &Secret {
        match self {
            Self::Redb(store) => store.secret(),
            Self::Postgres(store) => store.secret(),
        }
    }

    /// Returns what instances share beside inquiries; `None` where there is only one instance.
    pub fn shared(&self) -> Option<Shared> {
        match self {
            Self::Redb(_) => None,
            Self::Postgres(store) => Some(Shared::new(store.connector().clone())),
        }
    }

    /// Returns what it has done so far.
    pub fn activity(&self) -> &Activity {
        match self {
            Self::Redb(store) => store.activity(),
            Self::Postgres(store) => store.activity(),
        }
    }

    /// Returns whether an inquiry could be stored now. The answer comes from a commit of the last seconds if there was
    /// one and no write has failed since, else from a small durable write.
    pub async fn check_writable(&self) -> bool {
        let checked = match self {
            Self::Redb(store) => timeout(DEADLINE, store.check_writable()).await,
            Self::Postgres(store) => timeout(DEADLINE, store.check_writable()).await,
        };
        checked.unwrap_or(false)
    }

    /// Returns the inquiries as they are now; what is stored or erased later does not show in it.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        let snapshot = match self {
            Self::Redb(store) => timeout(DEADLINE, store.snapshot())
                .await
                .map(|snapshot| snapshot.map(Snapshot::Redb)),
            Self::Postgres(store) => timeout(DEADLINE, store.snapshot())
                .await
                .map(|snapshot| snapshot.map(Snapshot::Postgres)),
        };
        snapshot.unwrap_or(Err(Unavailable))
    }

    /// Copies everything as it is now, for a backup. Inquiries are stored meanwhile.
    ///
    /// # Errors
    /// When the store cannot be read, or there is no room for the copy.
    pub async fn image(&self) -> Result<Image, BackupError> {
        match self {
            Self::Redb(store) => store.image().await,
            Self::Postgres(store) => database_backup::image(store.connector()).await,
        }
    }

    /// Reads every record as it is now, however long that takes.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub async fn check(&self) -> Result<Findings, Unavailable> {
        match self {
            Self::Redb(store) => store.check().await,
            Self::Postgres(store) => store.check().await,
        }
    }

    /// Checks the store in a directory that nobody has open; changes nothing.
    ///
    /// # Errors
    /// When it cannot be read at all; [`OpenError::is_in_use`] tells whether a server has it.
    pub fn check_closed(data_dir: &Path) -> Result<Findings, OpenError> {
        Ok(redb::check_file(data_dir)?)
    }

    /// Notes when a backup was made.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn note_backup(&self, made_at: Timestamp) -> Result<(), Unavailable> {
        let noted = match self {
            Self::Redb(store) => timeout(DEADLINE, store.note_backup(made_at)).await,
            Self::Postgres(store) => timeout(DEADLINE, store.note_backup(made_at)).await,
        };
        noted.unwrap_or(Err(Unavailable))
    }

    /// Lets the clock go on for inquiries that were there when the store was restored from a backup.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn go_on(&self) -> Result<(), Unavailable> {
        let gone_on = match self {
            Self::Redb(store) => timeout(DEADLINE, store.go_on()).await,
            Self::Postgres(store) => timeout(DEADLINE, store.go_on()).await,
        };
        gone_on.unwrap_or(Err(Unavailable))
    }

    /// Returns what the store says of its backups.
    ///
    /// # Errors
    /// While it cannot be read.
    pub async fn facts(&self) -> Result<Facts, Unavailable> {
        let facts = match self {
            Self::Redb(store) => timeout(DEADLINE, store.facts()).await,
            Self::Postgres(store) => timeout(DEADLINE, store.facts()).await,
        };
        facts.unwrap_or(Err(Unavailable))
    }

    /// Erases inquiries for good; returns their number once the store no longer holds them, and that durably.
    ///
    /// # Errors
    /// When nothing was erased, or, with [`EraseError::Unsure`], the disk failed in the very last step.
    pub async fn erase(&self, what: Erasure) -> Result<u64, EraseError> {
        match self {
            Self::Redb(store) => store.erase(what, DEADLINE).await,
            Self::Postgres(store) => store.erase(what).await,
        }
    }

    /// Stores what was asked for before and closes the store; afterwards every call finds it unavailable. Returns
    /// whether that was done within the time; if not, a disk hangs, and nothing acknowledged depends on it. Safe to call
    /// more than once.
    pub async fn close(&self, within: Duration) -> bool {
        match self {
            Self::Redb(store) => store.close(within).await,
            Self::Postgres(store) => store.close(within).await,
        }
    }
}

impl From<Postgres> for Store {
    fn from(store: Postgres) -> Self {
        Self::Postgres(store)
    }
}

impl From<Redb> for Store {
    fn from(store: Redb) -> Self {
        Self::Redb(store)
    }
}
