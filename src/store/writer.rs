//! The one thread of a store that writes: it takes everything that waits, commits it in one transaction, and only then replies
//! (group commit). One sync to disk serves the whole batch. Callers may be on any runtime.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Notify, oneshot, watch};

use super::activity::Activity;
use super::core::{Effects, Holds, Job, Operation, Pending, send_all};
use super::erasure::Erasure;
use super::error::{EraseError, Unavailable};
use super::health::Health;
use super::reviews::ReviewChanges;
use crate::panics;
use crate::referral::HandlingPolicy;

/// Requests that may wait. Fewer than the server has connections, so that a disk or a database that has become slow is answered
/// by 503 at once, and not by connections that all wait. At 60,000 inquiries a second the last one waits some 20 ms. Each
/// takes about half a kilobyte.
const LIMIT: usize = 1024;

/// Requests committed together, at most: a transaction holds what it writes in memory until it is committed, and beyond a few
/// hundred requests the sync to disk is no longer what takes the time.
pub const MAX_BATCH: usize = 512;

/// How long dropping the store waits for the writer: a disk that hangs must not keep the process.
const DROP_WAIT: Duration = Duration::from_secs(5);

/// What the writer is asked for.
pub enum Message {
    /// An operation that is committed together with others.
    Write(Box<dyn Job>),
    /// Inquiries are handled by this policy from now on.
    SetPolicy(Arc<HandlingPolicy>),
    /// A new file in the place of the one in use.
    Rewrite(Rewrite),
}

/// Why a new file takes the place of the one in use.
pub enum Rewrite {
    /// Inquiries are erased.
    Erase {
        /// Which ones.
        what: Erasure,
        /// Told when it begins. When nobody listens any more, nothing is erased.
        begun: oneshot::Sender<Progress>,
        /// Told how many were erased.
        reply: oneshot::Sender<Result<u64, EraseError>>,
    },
    /// Much of the file is free.
    Compact {
        /// Told whether it was worth it and done.
        reply: oneshot::Sender<bool>,
    },
}

/// How far a rewrite has come.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Counts a step.
    pub fn step(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of steps so far.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the writer shares with the callers of a store.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Whether the store can be written.
    pub health: Arc<Health>,
    /// What is done.
    pub activity: Arc<Activity>,
    /// The deliveries that this process is trying.
    pub holds: Holds,
    /// Told when something may have become due.
    pub has_due: Arc<Notify>,
    /// Counts the changes of reviews.
    pub reviews: ReviewChanges,
}

impl Context {
    /// Answers the callers of a batch that an attempt has committed, and tells others what came of it.
    pub fn tell(&self, batch: Vec<Box<dyn Job>>, attempt: i32, effects: Effects) {
        // Whoever hears that a review is gone must not find it any more.
        if effects.touches_reviews {
            self.reviews.touch();
        }
        send_all(batch.into_iter().filter_map(|job| job.reply(attempt)).collect());
        if effects.has_due {
            self.has_due.notify_one();
        }
    }
}

/// The thread, for what an engine does on it beside the writer.
#[derive(Clone)]
pub struct Thread {
    runtime: Handle,
    has_ended: watch::Receiver<bool>,
}

impl Thread {
    /// Does something while the writer waits.
    ///
    /// # Errors
    /// When the thread has ended.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Unavailable> {
        if *self.has_ended.borrow() {
            return Err(Unavailable);
        }
        self.runtime.spawn(work).await.map_err(|_| Unavailable)
    }
}

/// The handle of the writer.
pub struct Writer {
    /// `None` once stopped: without a sender the thread ends when the queue is empty.
    queue: RwLock<Option<Sender<Message>>>,
    thread: Thread,
    /// The same for a caller that blocks. `None` once somebody has waited.
    end: Mutex<Option<std::sync::mpsc::Receiver<()>>>,
}

impl Writer {
    /// Starts the thread, which does what `run` says on a runtime of its own.
    pub fn start<F: Future<Output = ()>>(
        runtime: Runtime,
        run: impl FnOnce(Receiver<Message>) -> F + Send + 'static,
    ) -> io::Result<Self> {
        let (queue, requests) = channel(LIMIT);
        let (ended, has_ended) = watch::channel(false);
        let (ends, end) = sync_channel(0);
        let handle = runtime.handle().clone();
        thread::Builder::new().name("store".to_owned()).spawn(move || {
            if let Err(panic) = panics::catch(|| runtime.block_on(run(requests))) {
                tracing::error!(error = %panic, "the store's writer ended by a panic");
            }
            // Looking up a host's name may hang, and nothing depends on it.
            runtime.shutdown_background();
            ended.send_replace(true);
            drop(ends);
        })?;
        Ok(Self {
            queue: RwLock::new(Some(queue)),
            thread: Thread {
                runtime: handle,
                has_ended,
            },
            end: Mutex::new(Some(end)),
        })
    }

    /// Has an operation applied; returns its reply once it is committed.
    ///
    /// # Errors
    /// When the queue is full, the writer is stopped, or the store cannot be written.
    pub async fn apply<O: Operation>(&self, operation: O) -> Result<O::Reply, Unavailable> {
        let (caller, reply) = oneshot::channel();
        self.send(Message::Write(Box::new(Pending::new(operation, caller))))?;
        reply.await.map_err(|_| Unavailable)
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the queue is full, or the writer is stopped.
    pub fn send(&self, message: Message) -> Result<(), Unavailable> {
        let queue = self.queue.read();
        let queue = queue.as_ref().ok_or(Unavailable)?;
        queue.try_send(message).map_err(|_| Unavailable)
    }

    /// Returns the thread.
    pub fn thread(&self) -> Thread {
        self.thread.clone()
    }

    /// Takes no more requests, and waits until those in the queue are answered and the store is closed. Returns whether
    /// that was done within the time.
    pub async fn stop(&self, within: Duration) -> bool {
        drop(self.queue.write().take());
        let mut has_ended = self.thread.has_ended.clone();
        let ended = has_ended.wait_for(|&has_ended| has_ended);
        let in_time = tokio::time::timeout(within, ended).await.is_ok();
        // Dropping the store need not wait again.
        drop(self.end.lock().take());
        in_time
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.write().take());
        if let Some(end) = self.end.lock().take()
            && end.recv_timeout(DROP_WAIT) == Err(RecvTimeoutError::Timeout)
        {
            tracing::error!("the store was not closed, the disk or the database does not answer");
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}
