//! Where inquiries are kept. The rest of the program knows [`Store`] and not which engine does the work: [`redb`], a file
//! in the data directory, or [`postgres`], a database that several instances share. What may happen to the data is written once,
//! in [`core`]; an engine loads and saves. Every method that waits for a disk has a deadline, and none blocks the calling thread.

/// Asks whichever engine there is, and waits for it, but not for ever.
macro_rules! ask {
    ($store:expr, |$engine:ident| $asked:expr) => {
        $crate::store::deadline::in_time(async {
            match &$store.engine {
                $crate::store::Engine::Redb($engine) => $asked.await,
                // What waits for a database takes many kilobytes, for which callers need no room.
                $crate::store::Engine::Postgres($engine) => Box::pin($asked).await,
            }
        })
        .await
    };
}

mod activity;
pub mod backup;
mod by_hand;
mod copy;
mod copy_error;
mod core;
mod deadline;
mod deliveries;
mod desk;
pub mod erased_list;
mod erasure;
mod error;
pub mod facts;
mod findings;
mod health;
mod idempotency_key;
mod inquiries;
mod ledger;
mod location;
mod newsletter;
mod open_error;
mod photos;
pub mod postgres;
mod reckoning;
pub mod redb;
pub mod restore;
mod reviews;
mod row_source;
mod selection;
mod snapshot;
mod stream;
mod time;
pub mod transfer;
mod upkeep;
mod writer;

pub use activity::Activity;
pub use backup::{Backup, BackupError};
pub use copy::{CopyTarget, copy};
pub use copy_error::CopyError;
pub use core::{
    Delivering, Inserted, LeasedBatch, LeasedDelivery, REMEMBERED as KEYS_REMEMBERED,
    SESSION_TIME as DESK_SESSION_TIME,
};
pub use deadline::DEADLINE;
pub use erased_list::ErasedListError;
pub use erasure::Erasure;
pub use error::{EraseError, InsertError, PhotoRefusal, Unavailable, UpdateError};
pub use facts::{DayCounts, Facts, PauseEnd};
pub use findings::Findings;
pub use idempotency_key::IdempotencyKey;
pub use location::{Location, LocationError};
pub use open_error::OpenError;
pub use postgres::shared::Shared;
pub use reckoning::Reckoning;
pub use redb::{ERASED_FILE, FILE_NAME};
pub use restore::restore;
pub use reviews::ReviewChanges;
pub use row_source::RowSource;
pub use selection::{Selection, Suspected, TimeRange};
pub use snapshot::Snapshot;
pub use stream::{InquiryRecords, Subscriptions};
pub use time::Clock;
pub use transfer::{HeldBack, Restored};

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Mutex;

use self::core::Operation;
use crate::referral::{HandlingPolicy, Secret};
use deadline::in_time;
use postgres::{Connector, Postgres};
use redb::Redb;
use writer::{Context, Message, Writer};

/// The stored inquiries. Dropping it closes the engine.
#[derive(Debug)]
pub struct Store {
    // Stopped before the engine is dropped.
    writer: Writer,
    context: Context,
    engine: Engine,
    /// Held while one caller writes to find out whether the store can be written; others wait for its answer.
    checking: Mutex<()>,
}

/// What loads and saves.
#[derive(Debug)]
enum Engine {
    /// One redb file in a data directory.
    Redb(Redb),
    /// A PostgreSQL database, which several instances may share.
    Postgres(Postgres),
}

impl Store {
    fn new(writer: Writer, context: Context, engine: Engine) -> Self {
        Self {
            writer,
            context,
            engine,
            checking: Mutex::new(()),
        }
    }

    /// Opens the store in a directory, for a server; creates directory and file if they are missing. Waits up to two
    /// seconds for a file that another process holds.
    ///
    /// # Errors
    /// When it cannot be opened. An existing file is then as it was, byte for byte.
    pub fn open(data_dir: &Path) -> Result<Self, OpenError> {
        Ok(Redb::open_or_create(data_dir)?)
    }

    /// Opens the store in a directory, for a command; creates nothing and waits for nothing.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server has it.
    pub fn open_existing(data_dir: &Path) -> Result<Self, OpenError> {
        Ok(Redb::open_existing(data_dir)?)
    }

    /// Opens the store in a database, for a server. While the database cannot be reached, the store is there all the same and
    /// unavailable, and recovers by itself.
    ///
    /// # Errors
    /// When the database was reached and cannot be used.
    pub async fn connect(connector: Connector) -> Result<Self, OpenError> {
        Ok(Postgres::connect(connector).await?)
    }

    /// Opens the store in a database, for a command.
    ///
    /// # Errors
    /// When the database cannot be reached or used.
    pub async fn connect_now(connector: Connector) -> Result<Self, OpenError> {
        Ok(Postgres::connect_now(connector).await?)
    }

    /// Logs what the operator should know about the store as it was found. Opening it does not, since a server starts to
    /// log only once its start has succeeded.
    pub fn log_warnings(&self) {
        match &self.engine {
            Engine::Redb(engine) => engine.log_warnings(),
            Engine::Postgres(engine) => engine.log_warnings(),
        }
    }

    /// Sets the policy for handling inquiries. Until the first call nobody is told of them.
    ///
    /// # Errors
    /// When the store has too much to do or is closed.
    pub fn set_policy(&self, policy: Arc<HandlingPolicy>) -> Result<(), Unavailable> {
        self.writer.send(Message::SetPolicy(policy))
    }

    /// Returns the time of the store, which says what is due: with a database, that of the database, wherever this machine's
    /// clock is.
    pub fn now(&self) -> Timestamp {
        match &self.engine {
            Engine::Redb(engine) => engine.now(),
            Engine::Postgres(engine) => engine.now(),
        }
    }

    /// Makes sure that [`Self::secret`] is known. A file has it whenever it is open; a database must have been reached.
    ///
    /// # Errors
    /// While it is not.
    pub async fn ensure_secret_loaded(&self) -> Result<(), Unavailable> {
        in_time(self.known_secret()).await.map(drop)
    }

    /// Returns the secret from which the tokens of private pages follow. While no database was reached, it is one of which no
    /// token is genuine.
    pub fn secret(&self) -> &Secret {
        match &self.engine {
            Engine::Redb(engine) => engine.secret(),
            Engine::Postgres(engine) => engine.secret(),
        }
    }

    /// Returns what instances share beside inquiries; `None` where there is only one instance.
    pub fn shared(&self) -> Option<Shared> {
        match &self.engine {
            Engine::Redb(_) => None,
            Engine::Postgres(engine) => Some(Shared::new(engine.connector().clone())),
        }
    }

    /// Returns what it has done so far.
    pub fn activity(&self) -> &Activity {
        &self.context.activity
    }

    /// Stores what was asked for before and closes the store; afterwards every call finds it unavailable. Returns
    /// whether that was done within the time; if not, a disk hangs, and nothing acknowledged depends on it. Safe to call
    /// more than once.
    pub async fn close(&self, within: Duration) -> bool {
        let in_time = self.writer.stop(within).await;
        // The last commit says nothing about a closed store.
        self.context.health.forget();
        in_time
    }

    async fn known_secret(&self) -> Result<&Secret, Unavailable> {
        match &self.engine {
            Engine::Redb(engine) => Ok(engine.secret()),
            Engine::Postgres(engine) => engine.known_secret().await,
        }
    }

    /// Has an operation committed, unless that takes too long.
    async fn write<O: Operation>(&self, operation: O) -> Result<O::Reply, Unavailable> {
        in_time(self.writer.apply(operation)).await
    }
}
