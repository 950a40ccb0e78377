//! The one thread that writes: it takes everything that waits, commits it in one transaction, and only then
//! replies (group commit). One sync to disk serves the whole batch.

mod check;
mod claim;
mod count;
mod fact;
mod insert;
mod operation;
mod queue;
mod referrals;
mod replies;
mod source;
mod state;
mod subscribe;
mod tick;
mod traces;
mod update;

pub use check::Check;
pub use claim::FindDue;
pub use count::Count;
pub use fact::NoteFact;
pub use operation::Operation;
pub use queue::Rewrite;
pub use source::DatabaseSource;
pub use subscribe::SubscriptionChange;
pub use tick::Tick;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::{Mutex, RwLock};
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot, watch};

use super::claims::Claims;
use super::handle::Shared;
use crate::file_identity::FileIdentity;
use crate::panic_guard;
use crate::referral::{Plan, Secret};
use crate::store::activity::Activity;
use crate::store::clock::Clock;
use crate::store::error::Unavailable;
use crate::store::health::Health;
use operation::Pending;
use queue::{LIMIT, Message};
use state::State;
pub use state::{COMPACT_AFTER_START, COMPACT_EVERY};

/// How long dropping the store waits for the writer: a disk that hangs must not keep the process.
const DROP_WAIT: Duration = Duration::from_secs(5);

/// What the writer shares with readers.
pub struct Parts {
    /// The open file.
    pub handle: Shared,
    /// Whether it can be written.
    pub health: Arc<Health>,
    /// What is done.
    pub activity: Arc<Activity>,
    /// The time.
    pub clock: Clock,
    /// The deliveries that are being tried.
    pub claims: Claims,
    /// What tokens follow from.
    pub secret: Secret,
    /// When the store was opened.
    pub opened_at: Timestamp,
    /// Told when something may have become due.
    pub has_due: Arc<Notify>,
}

/// What the writer does when nobody asks for anything.
#[derive(Debug, Clone, Copy)]
pub struct Upkeep {
    /// When the file is compacted for the first time.
    pub compact_after: Duration,
    /// Whether the file holds traces of what was removed.
    pub has_traces: bool,
    /// Which file is open, if it is one.
    pub identity: Option<FileIdentity>,
}

/// The handle of the writer's thread.
pub struct Writer {
    /// `None` once stopped: without a sender the thread ends when the queue is empty.
    queue: RwLock<Option<SyncSender<Message>>>,
    has_ended: watch::Receiver<bool>,
    /// The same for a caller that blocks. `None` once somebody has waited.
    end: Mutex<Option<Receiver<()>>>,
}

impl Writer {
    /// Starts the thread.
    pub fn start(parts: Parts, source: DatabaseSource, upkeep: Upkeep) -> io::Result<Self> {
        let (queue, requests) = sync_channel(LIMIT);
        let (ended, has_ended) = watch::channel(false);
        let (ends, end) = sync_channel(0);
        let state = State::new(parts, source, upkeep);
        thread::Builder::new().name("store".to_owned()).spawn(move || {
            if let Err(panic) = panic_guard::catch(|| state.run(&requests)) {
                tracing::error!(error = %panic, "the store's writer ended by a panic");
            }
            ended.send_replace(true);
            drop(ends);
        })?;
        Ok(Self {
            queue: RwLock::new(Some(queue)),
            has_ended,
            end: Mutex::new(Some(end)),
        })
    }

    /// Has an operation applied; returns its reply once it is committed.
    ///
    /// # Errors
    /// When the queue is full, the writer is stopped, or the disk failed.
    pub async fn apply<O: Operation>(&self, operation: O) -> Result<O::Reply, Unavailable> {
        let (caller, reply) = oneshot::channel();
        let pending = Pending {
            operation,
            caller,
            runtime: Handle::try_current().ok(),
        };
        self.send(Message::Write(Box::new(pending)))?;
        reply.await.map_err(|_| Unavailable)
    }

    /// Has inquiries handled by a plan that are asked for from now on.
    pub fn follow(&self, plan: Arc<Plan>) -> Result<(), Unavailable> {
        self.send(Message::Follow(plan))
    }

    /// Asks for a new file in the place of the one in use.
    pub fn rewrite(&self, rewrite: Rewrite) -> Result<(), Unavailable> {
        self.send(Message::Rewrite(rewrite))
    }

    /// Takes no more requests, and waits until those in the queue are answered and the file is closed. Returns whether
    /// that was done within the time.
    pub async fn stop(&self, within: Duration) -> bool {
        drop(self.queue.write().take());
        let mut has_ended = self.has_ended.clone();
        let ended = has_ended.wait_for(|&has_ended| has_ended);
        let in_time = tokio::time::timeout(within, ended).await.is_ok();
        // Dropping the store need not wait again.
        drop(self.end.lock().take());
        in_time
    }

    fn send(&self, request: Message) -> Result<(), Unavailable> {
        let queue = self.queue.read();
        let queue = queue.as_ref().ok_or(Unavailable)?;
        queue.try_send(request).map_err(|_| Unavailable)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.write().take());
        if let Some(end) = self.end.lock().take()
            && end.recv_timeout(DROP_WAIT) == Err(RecvTimeoutError::Timeout)
        {
            tracing::error!("the store was not closed, the disk does not answer");
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}
