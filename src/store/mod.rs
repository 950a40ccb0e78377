//! Where inquiries are kept. The rest of the program knows this facade and not which engine does the work; today there
//! is one, [`redb`]. Every method that waits for a disk has a deadline, and none blocks the calling thread.

mod erasure;
mod error;
mod idempotency_key;
mod inserted;
mod open_error;
pub mod redb;
mod selection;
mod snapshot;
mod stream;

pub use erasure::Erasure;
pub use error::{EraseError, InsertError, Unavailable};
pub use idempotency_key::IdempotencyKey;
pub use inserted::Inserted;
pub use open_error::OpenError;
pub use redb::{FILE_NAME, KEYS_REMEMBERED};
pub use selection::{Selection, Suspected, TimeRange};
pub use snapshot::Snapshot;
pub use stream::Inquiries;

use std::path::Path;
use std::time::Duration;

use tokio::time::timeout;

use crate::inquiry::{Inquiry, NewInquiry};
use redb::Redb;

/// How long a caller waits for the disk before it hears that the store is unavailable. A visitor then has an answer
/// within 10 s.
pub const DEADLINE: Duration = Duration::from_secs(8);

/// The stored inquiries. Dropping it closes the engine.
#[derive(Debug)]
pub enum Store {
    /// One redb file in a data directory.
    Redb(Redb),
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

    /// Logs what the operator should know about the store as it was found. Opening it does not, since a server starts to
    /// log only once its start has succeeded.
    pub fn log_warnings(&self) {
        match self {
            Self::Redb(store) => store.log_warnings(),
        }
    }

    /// Stores an inquiry; returns once it is durably on disk. A repeated request with the same key gets the inquiry
    /// that the first one stored.
    ///
    /// # Errors
    /// [`InsertError::KeyReused`] when the key came with another request before, else
    /// [`InsertError::Unavailable`]. Then nothing was stored, unless the disk failed in the very last step or hangs:
    /// only repeating the request with its key tells.
    pub async fn insert(
        &self,
        inquiry: NewInquiry,
        key: Option<IdempotencyKey>,
    ) -> Result<Inserted, InsertError> {
        let inserted = match self {
            Self::Redb(store) => timeout(DEADLINE, store.insert(inquiry, key)).await,
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
        };
        replayed.unwrap_or(Err(InsertError::Unavailable))
    }

    /// Returns whether an inquiry could be stored now. The answer comes from a commit of the last seconds if there was
    /// one and no write has failed since, else from a small durable write.
    pub async fn check_writable(&self) -> bool {
        let checked = match self {
            Self::Redb(store) => timeout(DEADLINE, store.check_writable()).await,
        };
        checked.unwrap_or(false)
    }

    /// Returns the inquiries as they are now; what is stored or erased later does not show in it.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        let snapshot = match self {
            Self::Redb(store) => timeout(DEADLINE, store.snapshot()).await,
        };
        snapshot.map_or(Err(Unavailable), |snapshot| snapshot.map(Snapshot::Redb))
    }

    /// Erases inquiries for good; returns their number once the store no longer holds them, and that durably.
    ///
    /// # Errors
    /// When nothing was erased, or, with [`EraseError::Unsure`], the disk failed in the very last step.
    pub async fn erase(&self, what: Erasure) -> Result<u64, EraseError> {
        match self {
            Self::Redb(store) => store.erase(what, DEADLINE).await,
        }
    }

    /// Stores what was asked for before and closes the store; afterwards every call finds it unavailable. Returns
    /// whether that was done within the time; if not, a disk hangs, and nothing acknowledged depends on it. Safe to call
    /// more than once.
    pub async fn close(&self, within: Duration) -> bool {
        match self {
            Self::Redb(store) => store.close(within).await,
        }
    }
}

impl From<Redb> for Store {
    fn from(store: Redb) -> Self {
        Self::Redb(store)
    }
}
