//! Where inquiries are kept: one redb file in the data directory. No other module knows redb.

mod directory;
mod erasure;
mod error;
mod ids;
mod key;
mod keys;
mod make;
mod open;
mod opened;
mod probe;
pub mod record;
mod schema;
mod selection;
mod snapshot;
mod writer;

pub use directory::FILE_NAME;
pub use erasure::{EraseError, Erasure};
pub use error::{InsertError, OpenError, Unavailable};
pub use key::IdempotencyKey;
pub use keys::REMEMBERED as KEYS_REMEMBERED;
pub use selection::{Selection, Suspected, TimeRange};
pub use snapshot::Snapshot;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use redb::{Database, ReadableDatabase};
use tokio::sync::{Mutex, oneshot};

use crate::inquiry::{Inquiry, NewInquiry};
use opened::Opened;
use writer::{Insert, Place, Request, Write, Writer};

/// How long the server waits for a file that an export holds. An export only holds it to find that no server
/// listens and, in that case, for as long as it writes; a second is enough for 100,000 inquiries. For an erasure the
/// server waits before, until that has made its file ([`directory::turn`]).
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// How long an answer of [`Store::check_writable`] is good for: a health check costs at most one write a
/// second, however often it is asked for.
const CHECK_TTL: Duration = Duration::from_secs(1);

/// The file, shared by the writer and by readers; `None` while it is being reopened after a fault.
type Shared = Arc<RwLock<Option<Opened>>>;

/// Tells the time; tests have their own.
type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The stored inquiries. Dropping it closes the file.
pub struct Store {
    database: Shared,
    writer: Writer,
    /// When the last check was made, and its answer.
    checked: Mutex<Option<(Instant, bool)>>,
    clock: Clock,
}

impl Store {
    /// Opens the store in a directory, for a server; directory and file are made when missing. Waits up to
    /// two seconds for a file that another process holds.
    ///
    /// # Errors
    /// When it cannot be opened. An existing file is then as it was, byte for byte.
    pub fn open(data_dir: &Path) -> Result<Self, OpenError> {
        let database = open::or_create(data_dir, LOCK_WAIT)?;
        Self::start(database, data_dir)
    }

    /// Opens the store in a directory, for a command; nothing is made, and nothing waited for.
    ///
    /// # Errors
    /// When it cannot be opened, [`OpenError::Locked`] when a server has it.
    pub fn open_existing(data_dir: &Path) -> Result<Self, OpenError> {
        let database = open::existing(data_dir, Duration::ZERO)?;
        Self::start(database, data_dir)
    }

    fn start(database: Database, data_dir: &Path) -> Result<Self, OpenError> {
        let place = Place::of(data_dir);
        Self::with(database, place, Arc::new(Timestamp::now))
    }

    fn with(database: Database, place: Place, clock: Clock) -> Result<Self, OpenError> {
        let database = Arc::new(RwLock::new(Some(database.into())));
        let writer = Writer::start(Arc::clone(&database), place, Arc::clone(&clock))
            .map_err(|source| OpenError::Thread { source })?;
        Ok(Self {
            database,
            writer,
            checked: Mutex::new(None),
            clock,
        })
    }

    /// Stores an inquiry; done when it is durably on disk. With a key, a repeated request gets the inquiry
    /// that the first one stored.
    ///
    /// # Errors
    /// [`InsertError::KeyReused`] when the key came with another request before, else
    /// [`InsertError::Unavailable`]; then nothing was stored, unless the disk failed in the very last step.
    pub async fn insert(
        &self,
        inquiry: NewInquiry,
        key: Option<IdempotencyKey>,
    ) -> Result<Inquiry, InsertError> {
        let (answer, answered) = oneshot::channel();
        let insert = Insert::new(inquiry, key, answer)?;
        let stored = match self.writer.send(Write::Insert(Box::new(insert)).into()) {
            Ok(()) => answered.await.unwrap_or(Err(InsertError::Unavailable)),
            Err(unavailable) => Err(unavailable.into()),
        };
        if stored == Err(InsertError::Unavailable) {
            // What was found before may no longer be so.
            *self.checked.lock().await = None;
        }
        stored
    }

    /// What a request with this key gets without storing anything: the inquiry stored before, or `None` when
    /// the key is new. A short read that does not wait for the writer.
    ///
    /// # Errors
    /// As for [`Store::insert`].
    pub fn replay(&self, key: &IdempotencyKey, inquiry: &NewInquiry) -> Result<Option<Inquiry>, InsertError> {
        let now = (self.clock)();
        self.read(|database| keys::replay(database, key, inquiry, now))?
    }

    /// Whether an inquiry could be stored now, found by a small durable write. The answer may be up to a
    /// second old, unless an inquiry could not be stored meanwhile.
    pub async fn check_writable(&self) -> bool {
        let mut checked = self.checked.lock().await;
        if let Some((at, writable)) = *checked
            && at.elapsed() < CHECK_TTL
        {
            return writable;
        }
        let (answer, answered) = oneshot::channel();
        let sent = self.writer.send(Write::Check(answer).into());
        let writable = sent.is_ok() && answered.await.unwrap_or(false);
        *checked = Some((Instant::now(), writable));
        writable
    }

    /// The inquiries as they are now; what is stored or erased later does not show in it.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        self.read(|file| Snapshot::of(&file.begin_read()?, file.afterlife()))
    }

    /// Erases inquiries for good; done when the file no longer holds them, and that durably. Gives their number.
    ///
    /// # Errors
    /// When nothing was erased, or, with [`EraseError::Unsure`], the disk failed in the very last step.
    pub async fn erase(&self, what: Erasure) -> Result<u64, EraseError> {
        let (answer, answered) = oneshot::channel();
        let sent = self.writer.send(Request::Erase(what, answer));
        sent.map_err(|Unavailable| EraseError::Unavailable)?;
        answered.await.unwrap_or(Err(EraseError::Unavailable))
    }

    /// Stores what was asked for before and closes the file. Blocks until that is done; afterwards every
    /// call finds the store unavailable. Safe to call more than once.
    pub fn close(&self) {
        self.writer.stop();
    }

    fn read<T>(&self, read: impl FnOnce(&Opened) -> Result<T, redb::Error>) -> Result<T, Unavailable> {
        let file = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let file = file.as_ref().ok_or(Unavailable)?;
        error::attempt(|| read(file)).map_err(|error| Unavailable::told(&error))
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
pub mod tests;
