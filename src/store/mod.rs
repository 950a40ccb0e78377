//! Where inquiries are kept. The rest of the program knows this facade and not which engine does the work: [`redb`], a file
//! in the data directory, or [`postgres`], a database that several instances share. Every method that waits for a disk has a
//! deadline, and none blocks the calling thread.

mod activity;
mod claimed;
mod clock;
mod confirmation;
mod copy;
mod counting;
pub mod counts;
mod damaged;
mod database_backup;
mod deadline;
mod deliveries;
pub mod erased_list;
mod erasure;
mod error;
pub mod facts;
mod findings;
mod health;
mod held;
mod idempotency_key;
mod ids;
mod inquiries;
mod insert;
mod inserted;
mod kept;
mod keyed_request;
mod location;
mod millis;
mod newsletter;
mod open_error;
pub mod postgres;
mod reckoning;
pub mod record;
pub mod redb;
mod referral_record;
mod selection;
mod snapshot;
mod stream;
mod subscription_record;
mod temporary_dir;
pub mod transfer;
mod update;
mod upkeep;

pub use activity::Activity;
pub use claimed::{Claim, Claimed, Delivering};
pub use clock::Clock;
pub use copy::{CopyError, CopySource, CopyTarget, copy};
pub use counts::DayCounts;
pub use database_backup::RestoreError;
pub use deadline::DEADLINE;
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
pub use reckoning::Reckoning;
pub use redb::backup::{Backup, BackupError, HeldBack, Image, Restored, restore};
pub use redb::{ERASED_FILE, FILE_NAME};
pub use selection::{Selection, Suspected, TimeRange};
pub use snapshot::Snapshot;
pub use stream::{Dossiers, Subscriptions};

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::matching::{Asks, FirmId};
use crate::referral::{Plan, Secret};
use deadline::in_time;
use postgres::{Connector, Postgres};
use redb::Redb;

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

    /// Checks the store in a directory that nobody has open; changes nothing.
    ///
    /// # Errors
    /// When it cannot be read at all; [`OpenError::is_in_use`] tells whether a server has it.
    pub fn check_closed(data_dir: &Path) -> Result<Findings, OpenError> {
        Ok(redb::check_file(data_dir)?)
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

    /// Returns what is remembered of each firm's asks, whether or not it is configured now.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, Asks>, Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.asks().await,
                Self::Postgres(store) => store.asks().await,
            }
        })
        .await
    }

    /// Returns the time of the store, which says what is due: with a database, that of the database, wherever this machine's
    /// clock is.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::Redb(store) => store.now(),
            Self::Postgres(store) => store.now(),
        }
    }

    /// Makes sure that [`Self::secret`] is known. A file has it whenever it is open; a database must have been reached.
    ///
    /// # Errors
    /// While it is not.
    pub async fn must_be_known(&self) -> Result<(), Unavailable> {
        in_time(async {
            match self {
                Self::Redb(_) => Ok(()),
                Self::Postgres(store) => store.must_be_known().await,
            }
        })
        .await
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
