//! Where inquiries are kept. The rest of the program sees only [`Store`], whichever engine it uses: [`redb`], a file in the data
//! directory, or [`postgres`], a database shared by several instances. An engine is an ordered map of bytes ([`map`]); the
//! meaning of its entries and every operation on them are written once, on top. Every method that waits for a disk has a
//! deadline, and none blocks the calling thread.

mod context;
mod entry;
mod error;
pub mod facts;
mod job;
mod location;
pub mod map;
mod open;
mod open_error;
mod operations;
pub mod postgres;
mod reads;
mod records;
pub mod redb;
mod schedule;
mod schema;
#[cfg(test)]
mod tests;
mod transfer;
mod tx;
pub mod values;
mod writer;

pub use crate::domain::inquiry::TimeRange;
pub use context::Activity;
pub use entry::Delivering;
pub use error::{EraseError, InsertError, PhotoRefusal, Unavailable, UpdateError};
pub use facts::{DayCounts, Facts};
pub use location::Location;
pub use map::Clock;
pub use open_error::{LocationError, OTHER_WAYS, OpenError};
pub use operations::{
    AcmeChange, CODE_TIME as DESK_CODE_TIME, Erasure, Inserted, LONG_SESSION_TIME as DESK_LONG_SESSION_TIME,
    LeasedBatch, LeasedDelivery, SESSION_TIME as DESK_SESSION_TIME,
};
pub use records::{InquiryRecords, Records};
pub use redb::{ERASED_FILE, FILE_NAME, erased_list};
pub use transfer::{Backup, Findings, Restored, RowSource, RowTally, TransferError, copy, pack, restore};
pub use values::keyed_request::{IdempotencyKey, REMEMBERED as KEYS_REMEMBERED};

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::base::panics;
use crate::domain::referral::{HandlingPolicy, Secret};
use context::Context;
use job::JobTerms;
use map::{Engine, EngineError, View};
use tx::Tx;
use writer::{Message, StoreWriter};

/// How long a caller waits for the disk before the store counts as unavailable. A visitor then gets a response within 10 s.
pub const DEADLINE: Duration = Duration::from_secs(8);

/// Maximum number of concurrent reads. One that hangs on a broken disk occupies a thread until the disk answers.
const READS: usize = 8;

/// The stored inquiries. Dropping it closes the engine.
pub struct Store {
    // Stopped before the engine is dropped.
    writer: StoreWriter,
    context: Arc<Context>,
    engine: Arc<dyn Engine>,
    reads: Arc<Semaphore>,
    /// Replaces the secret until a database has been reached: no token is genuine.
    no_secret: Secret,
    /// Held while one caller writes to find out whether the store can be written; others wait for its answer.
    checking: Mutex<()>,
}

impl Store {
    /// Sets the policy for handling inquiries. Nobody is notified of them before the first call.
    ///
    /// # Errors
    /// When the store is overloaded or closed.
    pub fn set_policy(&self, policy: Arc<HandlingPolicy>) -> Result<(), Unavailable> {
        self.writer.push(Message::SetPolicy(policy))
    }

    /// Returns the time of the store, which decides what is due. For a database, this is the database's own time, whatever this
    /// machine's clock says.
    pub fn now(&self) -> Timestamp {
        values::to_time(self.engine.now())
    }

    /// Ensures that [`Self::secret`] is known. A file provides it once open; a database must first be reached.
    ///
    /// # Errors
    /// While it is unknown.
    pub async fn ensure_secret_loaded(&self) -> Result<(), Unavailable> {
        in_time(self.known_secret()).await.map(drop)
    }

    /// Returns the secret from which the tokens of private pages are derived. Until a database has been reached, returns one that
    /// makes no token genuine.
    pub fn secret(&self) -> &Secret {
        self.context.secret.get().unwrap_or(&self.no_secret)
    }

    /// Returns whether other instances may also use the store.
    pub fn is_shared(&self) -> bool {
        self.engine.writer().is_some()
    }

    /// Returns the counters of steps and commits.
    pub fn activity(&self) -> &Activity {
        &self.context.activity
    }

    /// Completes pending writes and closes the store; every later call finds it unavailable. Returns whether it closed in time;
    /// if not, a disk hangs, but no acknowledged write is lost. Safe to call more than once.
    pub async fn close(&self, within: Duration) -> bool {
        let in_time = self.writer.stop(within).await;
        self.reads.close();
        // The last commit says nothing about a closed store.
        self.context.health.forget();
        in_time
    }

    async fn known_secret(&self) -> Result<&Secret, Unavailable> {
        if self.context.secret.get().is_none() {
            // The writer's first turn reads it.
            self.write(|_| Ok(())).await?;
        }
        self.context.secret.get().ok_or(Unavailable)
    }

    /// Commits changes, unless that takes too long.
    async fn write<T: Send + 'static>(
        &self,
        change: impl FnMut(&mut Tx<'_>) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Unavailable> {
        in_time(self.writer.apply(JobTerms::default(), change)).await
    }

    /// Reads, unless that takes too long.
    async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&dyn View) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Unavailable> {
        in_time(self.view(false, move |view| read(&*view))).await
    }

    /// Passes a view to `read`, which may keep it to read on. Retries once with a new view if the first was lost.
    async fn view<T: Send + 'static>(
        &self,
        is_fixed: bool,
        read: impl Fn(Box<dyn View + Send>) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let permit = Arc::clone(&self.reads).acquire_owned().await;
        let permit = permit.map_err(|_| Unavailable)?;
        let engine = Arc::clone(&self.engine);
        let reading = spawn_blocking(move || {
            let _permit = permit;
            let once = || engine.view(is_fixed).and_then(&read);
            let read = panics::catch(|| match once() {
                Err(EngineError::Lost(_)) => once(),
                read => read,
            });
            read.unwrap_or_else(|panic| Err(EngineError::Lost(panic)))
        });
        let read = reading.await.map_err(|_| Unavailable)?;
        read.map_err(|error| {
            tracing::error!(%error, "the store cannot be read");
            if matches!(error, EngineError::Lost(_)) {
                // A full queue also wakes the writer.
                let _ = self.writer.push(Message::Wake);
            }
            Unavailable
        })
    }
}

/// Waits for a call to an engine, but not forever: a hanging disk does not even return an error.
pub async fn in_time<T, E: From<Unavailable>>(call: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    timeout(DEADLINE, call)
        .await
        .unwrap_or_else(|_| Err(Unavailable.into()))
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}
