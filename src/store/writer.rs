//! The single writing thread of a store: it takes everything in the queue, commits it in one transaction, and only then replies
//! (group commit). One sync to disk serves the whole batch. Callers may be on any runtime.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use std::{io, mem, thread};

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::base::panics;
use crate::domain::referral::HandlingPolicy;
use crate::store::context::Context;
use crate::store::job::{Job, JobTerms, Pending};
use crate::store::map::{Changes, Engine, EngineError, EntryKind};
use crate::store::schedule::{SMALL, Schedule};
use crate::store::tx::{Effects, Traces, Tx, WriterCache};
use crate::store::values::{millis, to_time};
use crate::store::{DEADLINE, Unavailable, facts, reads, schema};

/// Length of the queue: less than the server's maximum number of connections, so that a slow disk or database leads to an
/// immediate 503 instead of connections that all wait. At 60,000 inquiries a second, the last one waits about 20 ms. Each takes
/// about half a kilobyte.
const LIMIT: usize = 1024;

/// Maximum number of requests in one commit: a transaction holds its writes in memory until it is committed, and beyond a few
/// hundred requests the sync no longer dominates.
const MAX_BATCH: usize = 512;

/// How long the row of a stopped instance is kept, in milliseconds.
const WRITERS_KEPT: u64 = 3_600_000;

/// How long dropping the store waits for the writer: a hanging disk must not keep the process alive.
const DROP_WAIT: Duration = Duration::from_secs(5);

/// A message to the writer.
pub enum Message {
    /// An operation to commit together with others.
    Write(Box<dyn Job>),
    /// Handle inquiries by this policy from now on.
    SetPolicy(Arc<HandlingPolicy>),
    /// Check leases and the engine now.
    Wake,
    /// Remove traces; the reply says whether that succeeded.
    Wipe(oneshot::Sender<Result<(), EngineError>>),
}

/// The sending end of the queue; `None` once the writer is stopped.
type Queue = Arc<Mutex<Option<SyncSender<Message>>>>;

fn push(queue: &Queue, message: Message) -> Result<(), Unavailable> {
    let queue = queue.lock();
    let queue = queue.as_ref().ok_or(Unavailable)?;
    queue.try_send(message).map_err(|_| Unavailable)
}

/// The handle of the writer.
pub struct StoreWriter {
    queue: Queue,
    end: End,
}

/// Sends nothing, and disconnects when the store is closed.
type End = Arc<Mutex<Receiver<()>>>;

/// Waits until the store is closed; returns whether that was in time.
fn wait_for(end: &End, within: Duration) -> bool {
    end.lock().recv_timeout(within) == Err(RecvTimeoutError::Disconnected)
}

impl StoreWriter {
    /// Starts the thread; the receiver gets the outcome of first opening the store.
    ///
    /// # Errors
    /// When the thread cannot be spawned.
    pub fn start(
        engine: Arc<dyn Engine>,
        context: Arc<Context>,
    ) -> io::Result<(Self, Receiver<Result<(), EngineError>>)> {
        let (sender, requests) = sync_channel(LIMIT);
        let queue = Arc::new(Mutex::new(Some(sender)));
        let woken = Arc::clone(&queue);
        context.holds.on_let_go(move || {
            let _ = push(&woken, Message::Wake);
        });
        let (opens, opened) = sync_channel(1);
        let mut state = WriteLoop::new(engine, context);
        let (ended, end) = sync_channel(1);
        thread::Builder::new().name("store".to_owned()).spawn(move || {
            let closed = Arc::clone(&state.engine);
            let run = || {
                // The caller that opens the store may have given up.
                let _ = opens.send(state.write_until_known(&mut []));
                state.run(&requests);
            };
            if let Err(panic) = panics::catch(run) {
                tracing::error!(error = %panic, "the store's writer ended by a panic");
            }
            // Otherwise, the queued callers would wait forever.
            drop(requests);
            if let Err(panic) = panics::catch(|| closed.close()) {
                tracing::error!(error = %panic, "the store was not closed cleanly");
            }
            drop(ended);
        })?;
        let end = Arc::new(Mutex::new(end));
        Ok((Self { queue, end }, opened))
    }

    /// Queues a message.
    ///
    /// # Errors
    /// When the queue is full, or the writer is stopped.
    pub fn push(&self, message: Message) -> Result<(), Unavailable> {
        push(&self.queue, message)
    }

    /// Applies an operation; returns its reply once it is committed.
    ///
    /// # Errors
    /// When the queue is full, the writer is stopped, or the store cannot be written.
    pub async fn apply<R: Send + 'static>(
        &self,
        terms: JobTerms,
        operation: impl FnMut(&mut Tx<'_>) -> Result<R, EngineError> + Send + 'static,
    ) -> Result<R, Unavailable> {
        let (caller, reply) = oneshot::channel();
        let pending = Box::new(Pending::new(terms, operation, caller));
        self.push(Message::Write(pending))?;
        reply.await.map_err(|_| Unavailable)
    }

    /// Stops taking requests, and waits until the queued ones are answered and the store is closed. Returns whether that was in
    /// time.
    pub async fn stop(&self, within: Duration) -> bool {
        drop(self.queue.lock().take());
        let end = Arc::clone(&self.end);
        let ended = spawn_blocking(move || wait_for(&end, within));
        ended.await.unwrap_or_default()
    }
}

impl Drop for StoreWriter {
    fn drop(&mut self) {
        // [`Self::stop`] has already waited.
        if self.queue.lock().take().is_some() && !wait_for(&self.end, DROP_WAIT) {
            tracing::error!("the store was not closed, the disk or the database does not answer");
        }
    }
}

/// The state of the thread.
pub(super) struct WriteLoop {
    engine: Arc<dyn Engine>,
    pub(super) context: Arc<Context>,
    /// The id of this process.
    holder: [u8; 16],
    pub(super) cache: WriterCache,
    /// Whether the cache agrees with the store.
    is_true: bool,
    /// Side effects of the last attempt.
    effects: Effects,
    /// The number of the last batch.
    batch: u64,
    /// Whether an attempt to commit it was sent, so that it may have been stored.
    may_be_stored: bool,
    schedule: Schedule,
}

impl WriteLoop {
    /// Creates the state of a new process.
    pub(super) fn new(engine: Arc<dyn Engine>, context: Arc<Context>) -> Self {
        let writer = engine.writer();
        Self {
            schedule: Schedule::new(writer.is_some()),
            holder: writer.unwrap_or_else(|| Uuid::now_v7().into_bytes()),
            engine,
            context,
            cache: WriterCache::default(),
            is_true: false,
            effects: Effects::default(),
            batch: 0,
            may_be_stored: false,
        }
    }

    /// Runs until the queue is closed.
    fn run(mut self, requests: &Receiver<Message>) {
        loop {
            let time = self.schedule.wake_at().saturating_duration_since(Instant::now());
            let first = match requests.recv_timeout(time) {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            // On a core shared with threads that serve visitors, waking this thread interrupted them. They may have more requests
            // ready, which can join this commit; on an idle core, this costs half a microsecond.
            thread::yield_now();
            let (mut batch, mut is_woken) = (Vec::new(), false);
            for message in first.into_iter().chain(requests.try_iter()).take(MAX_BATCH) {
                match message {
                    Message::Write(job) => batch.push(job),
                    Message::Wake => is_woken = true,
                    Message::SetPolicy(policy) => {
                        self.write(mem::take(&mut batch));
                        self.cache.matching.set_policy(policy);
                    }
                    Message::Wipe(reply) => {
                        self.write(mem::take(&mut batch));
                        let wiped = if self.cache.has_traces {
                            self.wipe()
                        } else {
                            Ok(())
                        };
                        drop(reply.send(wiped));
                    }
                }
            }
            self.write(batch);
            self.look_after(is_woken);
        }
        // Spares other instances from waiting for leases to expire.
        self.context.holds.let_all_go();
        self.renew();
        self.leave();
    }

    /// Does the housekeeping that is due.
    fn look_after(&mut self, is_woken: bool) {
        let now = Instant::now();
        if self.engine.writer().is_some() && self.schedule.is_show_due(now) {
            self.write_alone(show_writer);
        }
        if self.schedule.is_look_due(now) || is_woken {
            self.renew();
            let looked = self
                .engine
                .check()
                .and_then(|()| self.engine.view(false).map(drop));
            if looked.is_ok() {
                self.schedule.set_here();
            } else {
                self.context.health.forget();
                let _ = self.reopen();
            }
        }
        if self.schedule.is_wipe_due(now) {
            let _ = self.wipe();
        }
    }

    /// Reopens the engine, unless that failed a moment ago.
    fn reopen(&mut self) -> Result<(), EngineError> {
        self.is_true = false;
        if self.schedule.is_away(Instant::now()) {
            return Err(EngineError::Lost(
                "the store could not be opened a moment ago".to_owned(),
            ));
        }
        match self.engine.reopen() {
            Ok(()) => self.schedule.set_here(),
            Err(error) => {
                if self.schedule.set_away() {
                    tracing::error!(%error, "the store cannot be opened again; it is tried again");
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Renews leases and returns those no longer needed.
    pub(super) fn renew(&mut self) {
        let held = self.context.holds.held();
        let let_go = self.context.holds.take_let_go();
        if !held.is_empty() || !let_go.is_empty() {
            self.write_alone(move |tx: &mut Tx<'_>| tx.renew(&held, &let_go));
        }
    }

    /// Commits an operation without a caller.
    fn write_alone(
        &mut self,
        operation: impl FnMut(&mut Tx<'_>) -> Result<(), EngineError> + Send + 'static,
    ) {
        let (caller, _) = oneshot::channel();
        let pending = Pending::new(JobTerms::default(), operation, caller);
        self.write(vec![Box::new(pending)]);
    }

    /// Removes this instance from the list of writers.
    fn leave(&mut self) {
        let Some(writer) = self.engine.writer() else {
            return;
        };
        let mut changes = Changes::default();
        changes.set(EntryKind::Writers, writer.to_vec(), None);
        // On failure its row is removed later.
        let _ = self.engine.turn(&[]).and_then(|turn| turn.commit(changes));
    }

    /// Commits a batch and replies to each request in it. A request dropped without a reply tells its caller that the store is
    /// unavailable.
    pub(super) fn write(&mut self, mut batch: Vec<Box<dyn Job>>) {
        if batch.is_empty() || self.schedule.is_away(Instant::now()) {
            return;
        }
        let written = self.write_until_known(&mut batch);
        self.context.activity.step();
        match written {
            Ok(()) => self.finish(batch),
            // An erasure that cannot be listed must not keep other operations from being stored.
            Err(EngineError::Failed(_)) if batch.len() > 1 && self.effects.traces.is_some() => {
                for job in batch {
                    self.write(vec![job]);
                }
            }
            Err(error) => {
                self.context.health.forget();
                tracing::error!(%error, "the store cannot be written");
            }
        }
    }

    /// Announces the effects of a committed batch and replies to its callers.
    fn finish(&mut self, batch: Vec<Box<dyn Job>>) {
        let effects = self.effects;
        // A review must be gone from pages before its author gets the reply.
        if effects.touches_reviews {
            self.context.review_changes.fetch_add(1, Ordering::SeqCst);
        }
        if let (Some(traces), Some(size)) = (effects.traces, self.engine.wipe_size()) {
            self.schedule
                .add_traces(traces == Traces::OfPhotos && size > SMALL);
            // A visitor who withdraws gets the reply once no traces are left, unless that would delay others.
            if size <= SMALL && self.schedule.is_wipe_due(Instant::now()) {
                let _ = self.wipe();
            }
        }
        for job in batch {
            job.reply();
        }
        if effects.has_due {
            self.context.has_due.notify_one();
        }
    }

    /// Retries a batch until its outcome is known or no caller is waiting for it.
    fn write_until_known(&mut self, batch: &mut [Box<dyn Job>]) -> Result<(), EngineError> {
        let started = Instant::now();
        self.batch += 1;
        self.may_be_stored = false;
        loop {
            let error = match self.attempt(batch) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            self.is_true = false;
            if !matches!(error, EngineError::Lost(_)) {
                return Err(error);
            }
            let reopened = self.reopen();
            let is_open = reopened.is_ok();
            // A file does not reveal whether the commit was made; only a request repeated with its key does.
            let is_over = self.engine.writer().is_none() && self.may_be_stored;
            let is_wanted = started.elapsed() < DEADLINE;
            // While the store cannot be opened, unsent batches are refused at once; the outcome of sent ones must be determined.
            if is_over || !is_wanted || !(is_open || self.may_be_stored) {
                // Why it cannot be opened is more helpful than the fact that it is closed.
                return Err(reopened.err().unwrap_or(error));
            }
            tracing::warn!(%error, "the store was lost; it is tried again");
            if !is_open {
                thread::sleep(self.schedule.pause());
            }
        }
    }

    /// Makes one attempt to commit a batch.
    fn attempt(&mut self, batch: &mut [Box<dyn Job>]) -> Result<(), EngineError> {
        let engine = Arc::clone(&self.engine);
        engine.check()?;
        let wanted = batch.iter().filter_map(|job| job.terms().wants.clone());
        let wanted: Vec<_> = wanted.collect();
        let started = Instant::now();
        let turn = engine.turn(&wanted)?;
        if self.may_be_stored
            && let Some(writer) = engine.writer()
            && let Some(row) = turn.get(EntryKind::Writers, &writer)?
            && row.starts_with(&self.batch.to_be_bytes())
        {
            // Nobody waits for the end of this turn.
            let _ = turn.commit(Changes::default());
            return Ok(());
        }
        let is_behind = self.is_true;
        if !is_behind || turn.others_have_written() {
            if let Some(upgrade) = schema::upgrade(&*turn, schema::STEPS)? {
                // Other instances see the upgrade as the previous batch.
                let upgrade = self.signed(upgrade, self.batch - 1, turn.now());
                turn.commit(upgrade)?;
                return self.attempt(batch);
            }
            let now = to_time(turn.now());
            self.cache.load(&*turn, now, is_behind)?;
            self.schedule.found_traces(self.cache.has_traces);
        }
        // Until the commit, the cache may be ahead of the store.
        self.is_true = false;
        let mut tx = Tx::new(&*turn, &mut self.cache, self.holder);
        tx.prepare()?;
        if engine.writer().is_none() && !is_behind {
            tx.take_over()?;
            tx.keep();
        }
        let mut is_true = true;
        for job in batch.iter_mut() {
            match job.apply(&mut tx) {
                Ok(()) => tx.keep(),
                // Only this operation fails, not the others in the batch.
                Err(EngineError::Damaged(error)) => {
                    tracing::error!(error, "the store cannot be read");
                    tx.undo();
                    is_true = false;
                }
                Err(error) => return Err(error),
            }
        }
        let (changes, effects) = tx.finish(batch.len(), engine.wipe_size().is_some())?;
        self.effects = effects;
        let is_changed = !changes.is_empty();
        self.may_be_stored |= is_changed;
        let changes = self.signed(changes, self.batch, turn.now());
        turn.commit(changes)?;
        if is_changed {
            // Writes to a file that was moved or deleted must not be acknowledged.
            engine
                .check()
                .map_err(|error| EngineError::Lost(error.to_string()))?;
            self.context.activity.committed(started.elapsed());
            self.context.health.set(true);
        }
        if let Some(secret) = &self.cache.secret {
            let _ = self.context.secret.set(secret.clone());
        }
        self.is_true = is_true;
        Ok(())
    }

    /// Adds this instance's row with the number and time of the batch, which also shows others that it is alive.
    fn signed(&self, mut changes: Changes, batch: u64, now: u64) -> Changes {
        if let Some(writer) = self.engine.writer().filter(|_| !changes.is_empty()) {
            let row = [batch.to_be_bytes(), now.to_be_bytes()].concat();
            changes.set(EntryKind::Writers, writer.to_vec(), Some(row));
        }
        changes
    }

    pub(super) fn wipe(&mut self) -> Result<(), EngineError> {
        let started = Instant::now();
        let step = || self.context.activity.step();
        let wiped = self.engine.check().and_then(|()| self.engine.wipe(&step));
        self.schedule.wiped(wiped.is_ok(), started);
        match &wiped {
            Ok(()) => {
                self.cache.has_traces = false;
                self.write_alone(|tx: &mut Tx<'_>| {
                    tx.note(facts::TRACES, None);
                    Ok(())
                });
            }
            Err(error) => {
                tracing::warn!(%error, "the file still holds traces of what was erased; it is tried again");
            }
        }
        if matches!(wiped, Err(EngineError::Lost(_))) {
            let _ = self.reopen();
        }
        wiped
    }
}

/// Refreshes this instance's row and removes those of stopped instances.
fn show_writer(tx: &mut Tx<'_>) -> Result<(), EngineError> {
    let gone = millis(tx.now).saturating_sub(WRITERS_KEPT);
    for (key, _) in reads::writers(tx)?.into_iter().filter(|(_, at)| *at < gone) {
        tx.remove(EntryKind::Writers, key);
    }
    tx.note(facts::HEALTH, Some(millis(tx.now)));
    Ok(())
}
