//! The one thread of a store that writes: it takes everything that waits, commits it in one transaction, and only then replies
//! (group commit). One sync to disk serves the whole batch. Callers may be on any runtime.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::mem;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tokio::sync::{oneshot, watch};

use super::context::Context;
use super::job::{Job, Pending, send_all};
use super::map::{Changes, Engine, EngineError, Kind, Span, Wanted, collect};
use super::operations::{Operation, Renew, TakeOver};
use super::schedule::{MODERATE, SMALL, Schedule};
use super::time::millis;
use super::tx::{Effects, Memory, TRACES, Traces, Tx, random};
use super::values::fact::Fact;
use super::values::number;
use crate::base::panics;
use crate::domain::referral::HandlingPolicy;
use crate::store::deadline::DEADLINE;
use crate::store::error::Unavailable;

/// Requests that may wait. Fewer than the server has connections, so that a disk or a database that has become slow is answered
/// by 503 at once, and not by connections that all wait. At 60,000 inquiries a second the last one waits some 20 ms. Each
/// takes about half a kilobyte.
const LIMIT: usize = 1024;

/// Requests committed together, at most: a transaction holds what it writes in memory until it is committed, and beyond a few
/// hundred requests the sync to disk is no longer what takes the time.
const MAX_BATCH: usize = 512;

/// For how long the row of an instance is kept that is gone, in milliseconds.
const WRITERS_KEPT: u64 = 3_600_000;

/// How long dropping the store waits for the writer: a disk that hangs must not keep the process.
const DROP_WAIT: Duration = Duration::from_secs(5);

/// What the writer is asked for.
enum Message {
    /// An operation that is committed together with others.
    Write(Box<dyn Job>),
    /// Inquiries are handled by this policy from now on.
    SetPolicy(Arc<HandlingPolicy>),
    /// Removes traces, or, if only that is worth it, gives space back; told whether something was done, or why not.
    Wipe(bool, oneshot::Sender<Result<bool, EngineError>>),
}

/// What waits for the writer.
#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Message>,
    /// Whether the writer is to look after leases or the file before its time.
    is_woken: bool,
    is_closed: bool,
}

impl Queue {
    fn push(&self, message: Message) -> Result<(), Unavailable> {
        let mut state = self.state.lock();
        if state.is_closed || state.waiting.len() >= LIMIT {
            return Err(Unavailable);
        }
        state.waiting.push_back(message);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    fn change(&self, change: impl FnOnce(&mut QueueState)) {
        change(&mut self.state.lock());
        self.changed.notify_one();
    }

    /// Waits until there is something to do, or a time has come; returns whether there may be more.
    fn wait(&self, until: Instant) -> bool {
        let mut state = self.state.lock();
        while state.waiting.is_empty() && !state.is_woken && !state.is_closed {
            if self.changed.wait_until(&mut state, until).timed_out() {
                break;
            }
        }
        !(state.is_closed && state.waiting.is_empty())
    }

    /// Takes what waits, as much as is committed together, and whether the writer was woken.
    fn take(&self) -> (Vec<Message>, bool) {
        let mut state = self.state.lock();
        let count = state.waiting.len().min(MAX_BATCH);
        (
            state.waiting.drain(..count).collect(),
            mem::take(&mut state.is_woken),
        )
    }
}

/// Hears whether the store could be used the first time.
pub type Opened = std::sync::mpsc::Receiver<Result<(), EngineError>>;

/// The handle of the writer.
pub struct Writer {
    queue: Arc<Queue>,
    has_ended: watch::Receiver<bool>,
    thread: Mutex<Option<std::sync::mpsc::Receiver<()>>>,
}

impl Writer {
    /// Starts the thread; the receiver hears whether the store could be used the first time.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        engine: Arc<dyn Engine>,
        context: Context,
        schedule: Schedule,
    ) -> io::Result<(Self, Opened)> {
        let queue = Arc::<Queue>::default();
        let woken = Arc::clone(&queue);
        context
            .holds
            .on_let_go(move || woken.change(|state| state.is_woken = true));
        let (ended, has_ended) = watch::channel(false);
        let (ends, end) = std::sync::mpsc::sync_channel(0);
        let (opens, opened) = std::sync::mpsc::sync_channel(1);
        let mut state = State::new(engine, context, schedule)?;
        let requests = Arc::clone(&queue);
        thread::Builder::new().name("store".to_owned()).spawn(move || {
            let closed = Arc::clone(&state.engine);
            let run = || {
                // Whoever opens the store may have given up.
                let _ = opens.send(
                    state
                        .write_until_known(&mut [])
                        .map(drop)
                        .map_err(Failure::into_error),
                );
                state.run(&requests);
            };
            if let Err(panic) = panics::catch(run) {
                tracing::error!(error = %panic, "the store's writer ended by a panic");
            }
            // Nobody else answers those that wait.
            requests.change(|state| {
                state.is_closed = true;
                state.waiting.clear();
            });
            if let Err(panic) = panics::catch(|| closed.close()) {
                tracing::error!(error = %panic, "the store was not closed cleanly");
            }
            ended.send_replace(true);
            drop(ends);
        })?;
        let writer = Self {
            queue,
            has_ended,
            thread: Mutex::new(Some(end)),
        };
        Ok((writer, opened))
    }

    /// Has an operation applied; returns its reply once it is committed.
    ///
    /// # Errors
    /// When the queue is full, the writer is stopped, or the store cannot be written.
    pub async fn apply<O: Operation>(&self, operation: O) -> Result<O::Reply, Unavailable> {
        let (caller, reply) = oneshot::channel();
        self.queue
            .push(Message::Write(Box::new(Pending::new(operation, caller))))?;
        reply.await.map_err(|_| Unavailable)
    }

    /// Has inquiries handled by a policy, in order with what is written.
    ///
    /// # Errors
    /// When the queue is full, or the writer is stopped.
    pub fn set_policy(&self, policy: Arc<HandlingPolicy>) -> Result<(), Unavailable> {
        self.queue.push(Message::SetPolicy(policy))
    }

    /// Has traces removed; with `only_if_sparse` only if much space is given back. Returns whether something was done.
    ///
    /// # Errors
    /// When the queue is full, or the writer is stopped; the inner error says why the engine could not do it.
    pub async fn wipe(&self, only_if_sparse: bool) -> Result<Result<bool, EngineError>, Unavailable> {
        let (reply, replied) = oneshot::channel();
        self.queue.push(Message::Wipe(only_if_sparse, reply))?;
        replied.await.map_err(|_| Unavailable)
    }

    /// Has the writer look after the engine now: a reader found that it must be opened again.
    pub fn wake(&self) {
        self.queue.change(|state| state.is_woken = true);
    }

    /// Takes no more requests, and waits until those in the queue are answered and the store is closed. Returns whether
    /// that was done within the time.
    pub async fn stop(&self, within: Duration) -> bool {
        self.queue.change(|state| state.is_closed = true);
        let mut has_ended = self.has_ended.clone();
        let ended = has_ended.wait_for(|&has_ended| has_ended);
        let in_time = tokio::time::timeout(within, ended).await.is_ok();
        // Dropping the store need not wait again.
        drop(self.thread.lock().take());
        in_time
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.change(|state| state.is_closed = true);
        if let Some(end) = self.thread.lock().take()
            && end.recv_timeout(DROP_WAIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
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

/// What became of an attempt that failed.
enum Failure {
    /// The store is as it was, and is no longer asked for.
    Refused(EngineError),
    /// The store must be opened again. `is_sent`: nobody knows whether the changes were made.
    Lost { error: EngineError, is_sent: bool },
}

impl Failure {
    fn into_error(self) -> EngineError {
        match self {
            Self::Refused(error) | Self::Lost { error, .. } => error,
        }
    }
}

/// What the thread works with.
pub(super) struct State {
    engine: Arc<dyn Engine>,
    pub(super) context: Context,
    /// Names this process.
    holder: [u8; 16],
    pub(super) memory: Memory,
    /// Whether the memory is what the store says.
    is_true: bool,
    /// Whether the leases of processes before this one have ended, where it is alone.
    has_taken_over: bool,
    /// What others are to hear of the last attempt.
    effects: Effects,
    /// The number of the last batch.
    batch: u64,
    schedule: Schedule,
}

impl State {
    /// Begins as a new process.
    ///
    /// # Errors
    /// When the system gives no random bits.
    pub(super) fn new(engine: Arc<dyn Engine>, context: Context, schedule: Schedule) -> io::Result<Self> {
        let holder = match engine.writer() {
            Some(writer) => writer,
            None => random().map_err(io::Error::other)?,
        };
        Ok(Self {
            engine,
            context,
            holder,
            memory: Memory::default(),
            is_true: false,
            has_taken_over: false,
            effects: Effects::default(),
            batch: 0,
            schedule,
        })
    }

    /// Works until nobody can ask any more.
    fn run(mut self, queue: &Queue) {
        while queue.wait(self.schedule.wake_at()) {
            // Where this thread shares a core with those that serve visitors, waking it has interrupted them. They have more
            // requests at hand, which then share a commit; where nobody waits for the core, this takes half a microsecond.
            thread::yield_now();
            let (messages, is_woken) = queue.take();
            let mut batch = Vec::new();
            for message in messages {
                match message {
                    Message::Write(job) => batch.push(job),
                    Message::SetPolicy(policy) => {
                        self.write(mem::take(&mut batch));
                        self.memory.matching.set_policy(policy);
                    }
                    Message::Wipe(only_if_sparse, reply) => {
                        self.write(mem::take(&mut batch));
                        let is_clean = !only_if_sparse && !self.memory.has_traces;
                        let wiped = if is_clean {
                            Ok(false)
                        } else {
                            self.wipe(only_if_sparse)
                        };
                        drop(reply.send(wiped));
                    }
                }
            }
            self.write(batch);
            self.look_after(is_woken);
        }
        // Other instances need not wait until leases have run out.
        self.context.holds.let_all_go();
        self.renew();
        self.leave();
    }

    /// Does what is due beside requests.
    fn look_after(&mut self, is_woken: bool) {
        let now = Instant::now();
        if is_woken || self.schedule.is_renewal_due(now) {
            self.renew();
        }
        if self.engine.writer().is_some() && self.schedule.is_show_due(now) {
            self.write_alone(ShowWriter);
        }
        if self.schedule.is_look_due(now) || is_woken {
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
            let _ = self.wipe(false);
        } else if self.schedule.is_compaction_due(now) {
            let _ = self.wipe(true);
        }
    }

    /// Opens the engine again, unless that failed a moment ago.
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

    /// Renews what is leased, and gives back what was let go.
    pub(super) fn renew(&mut self) {
        let held = self.context.holds.held();
        let let_go = self.context.holds.take_let_go();
        if !held.is_empty() || !let_go.is_empty() {
            self.write_alone(Renew { held, let_go });
        }
    }

    /// Commits an operation for whose reply nobody waits.
    fn write_alone(&mut self, operation: impl Operation) {
        let (caller, _) = oneshot::channel();
        self.write(vec![Box::new(Pending::new(operation, caller))]);
    }

    /// Takes this instance from those that write.
    fn leave(&mut self) {
        let Some(writer) = self.engine.writer() else {
            return;
        };
        let mut changes = Changes::default();
        changes.set(Kind::Writers, writer.to_vec(), None);
        // If not, its row is forgotten later.
        let _ = self
            .engine
            .turn(&Wanted::default())
            .and_then(|turn| turn.commit(changes));
    }

    /// Commits a batch and replies to each request in it. Those that are dropped without a reply hear that the store is
    /// unavailable.
    pub(super) fn write(&mut self, mut batch: Vec<Box<dyn Job>>) {
        if batch.is_empty() || self.schedule.is_away(Instant::now()) {
            return;
        }
        let written = self.write_until_known(&mut batch);
        self.context.activity.step();
        match written {
            Ok(effects) => self.finish(batch, effects),
            // What cannot be erased, since that cannot be listed, must not keep others from being stored.
            Err(Failure::Refused(EngineError::Failed(_)))
                if batch.len() > 1 && self.effects.traces.is_some() =>
            {
                for job in batch {
                    self.write(vec![job]);
                }
            }
            Err(failure) => {
                self.context.health.forget();
                tracing::error!(error = %failure.into_error(), "the store cannot be written");
            }
        }
    }

    /// Replies to a batch that is committed.
    fn finish(&mut self, batch: Vec<Box<dyn Job>>, effects: Effects) {
        // Whoever hears that a review is gone must not find it any more.
        if effects.touches_reviews {
            self.context.reviews.touch();
        }
        if let (Some(traces), Some(size)) = (effects.traces, self.engine.wipe_size()) {
            self.schedule
                .add_traces(traces == Traces::OfPhotos && size > MODERATE);
            // Callers who withdraw an inquiry get the answer once nothing of it is left, unless that would hold up others.
            if size <= SMALL && self.schedule.is_wipe_due(Instant::now()) {
                let _ = self.wipe(false);
            }
        }
        send_all(batch.into_iter().filter_map(Job::reply).collect());
        if effects.has_due {
            self.context.has_due.notify_one();
        }
    }

    /// Tries to commit a batch until it is known what became of it, or nobody waits any more.
    fn write_until_known(&mut self, batch: &mut [Box<dyn Job>]) -> Result<Effects, Failure> {
        let asked_at = batch
            .iter()
            .map(|job| job.asked_at())
            .max()
            .unwrap_or_else(Instant::now);
        self.batch += 1;
        let is_alone = self.engine.writer().is_none();
        let mut may_be_stored = false;
        loop {
            match self.attempt(batch, may_be_stored) {
                Ok(effects) => return Ok(effects),
                Err(failure @ Failure::Refused(_)) => {
                    self.is_true = false;
                    return Err(failure);
                }
                Err(Failure::Lost { error, is_sent }) => {
                    may_be_stored |= is_sent;
                    let reopened = self.reopen();
                    let is_open = reopened.is_ok();
                    // A file does not tell whether it was written; only repeating a request with its key does.
                    let is_over = is_alone && may_be_stored;
                    let is_wanted = asked_at.elapsed() < DEADLINE;
                    // What is not sent yet is refused at once while the store cannot be opened; what may be stored is found out.
                    if is_over || !is_wanted || !(is_open || may_be_stored) {
                        let is_sent = may_be_stored;
                        // Why it cannot be opened tells more than that it is not open.
                        let error = reopened.err().unwrap_or(error);
                        return Err(Failure::Lost { error, is_sent });
                    }
                    tracing::warn!(%error, "the store was lost; it is tried again");
                    if !is_open {
                        thread::sleep(self.schedule.pause());
                    }
                }
            }
        }
    }

    /// Tries to commit a batch. `may_be_stored`: an attempt before may have been committed.
    fn attempt(&mut self, batch: &mut [Box<dyn Job>], may_be_stored: bool) -> Result<Effects, Failure> {
        let lost = |is_sent| {
            move |error| match error {
                EngineError::Lost(_) => Failure::Lost { error, is_sent },
                _ => Failure::Refused(error),
            }
        };
        let engine = Arc::clone(&self.engine);
        engine.check().map_err(lost(false))?;
        let mut wanted = Wanted::default();
        for job in batch.iter() {
            job.wants(&mut wanted);
        }
        let started = Instant::now();
        let turn = engine.turn(&wanted).map_err(lost(false))?;
        if may_be_stored
            && let Some(writer) = engine.writer()
            && let Some(row) = turn.get(Kind::Writers, &writer).map_err(lost(false))?
            && row.starts_with(&self.batch.to_be_bytes())
        {
            // Nobody else waits for the end of this turn.
            let _ = turn.commit(Changes::default());
            return Ok(self.effects);
        }
        let is_alone = engine.writer().is_none();
        let is_behind = self.is_true;
        if !is_behind || turn.others_have_written() {
            let now = super::values::to_time(turn.now());
            self.memory.load(&*turn, now, is_behind).map_err(lost(false))?;
            self.schedule.found_traces(self.memory.has_traces);
        }
        // Until the commit it may be ahead of the store.
        self.is_true = false;
        let mut tx = Tx::new(&*turn, &mut self.memory, self.holder);
        tx.is_alone = is_alone;
        tx.prepare().map_err(lost(false))?;
        if is_alone && !self.has_taken_over {
            TakeOver.apply(&mut tx).map_err(lost(false))?;
            tx.keep();
        }
        let mut is_true = true;
        for job in batch.iter_mut() {
            match job.apply(&mut tx) {
                Ok(()) => tx.keep(),
                // It is refused, and others in the batch do not suffer.
                Err(EngineError::Damaged(error)) => {
                    tracing::error!(error, "the store cannot be read");
                    tx.undo();
                    is_true = false;
                }
                Err(error) => return Err(lost(false)(error)),
            }
        }
        let finished = tx.finish(batch.len(), engine.wipe_size().is_some());
        let (mut changes, effects) = finished.map_err(lost(false))?;
        // By the time, others know that this instance is there.
        let row = [self.batch.to_be_bytes(), turn.now().to_be_bytes()].concat();
        self.effects = effects;
        let is_changed = !changes.is_empty();
        if let Some(writer) = engine.writer().filter(|_| is_changed) {
            changes.set(Kind::Writers, writer.to_vec(), Some(row));
        }
        turn.commit(changes).map_err(lost(is_changed))?;
        if is_changed {
            // What went to a file that nobody finds again is not acknowledged.
            let gone = |error| Failure::Lost { error, is_sent: true };
            engine.check().map_err(gone)?;
            self.context.activity.committed(started.elapsed());
            self.context.health.set_committed();
        }
        if let Some(secret) = &self.memory.secret {
            let _ = self.context.secret.set(secret.clone());
        }
        self.has_taken_over = true;
        self.is_true = is_true;
        Ok(effects)
    }

    /// Removes traces, or gives space back.
    pub(super) fn wipe(&mut self, only_if_sparse: bool) -> Result<bool, EngineError> {
        let started = Instant::now();
        let step = || self.context.activity.step();
        let wiped = self
            .engine
            .check()
            .and_then(|()| self.engine.wipe(only_if_sparse, &step));
        self.schedule
            .wiped(only_if_sparse, matches!(wiped, Ok(true)), started);
        match &wiped {
            Ok(true) if mem::take(&mut self.memory.has_traces) => self.write_alone(ForgetTraces),
            Ok(_) => {}
            Err(error) if only_if_sparse => tracing::warn!(%error, "the file of inquiries was not compacted"),
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

/// Notes that this instance is there, and forgets those that are gone.
struct ShowWriter;

impl Operation for ShowWriter {
    type Reply = ();

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        let gone = millis(tx.now).saturating_sub(WRITERS_KEPT);
        let seen: Vec<_> = collect(tx, Span::all(Kind::Writers), |key, row| {
            Ok((key.to_vec(), number(row.get(8..).unwrap_or_default())?))
        })?;
        for (key, _) in seen.into_iter().filter(|(_, at)| *at < gone) {
            tx.remove(Kind::Writers, key);
        }
        tx.note(Fact::Health.name(), Some(millis(tx.now)));
        Ok(())
    }
}

/// Notes that nothing is left of what was removed.
struct ForgetTraces;

impl Operation for ForgetTraces {
    type Reply = ();

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        tx.note(TRACES, None);
        Ok(())
    }
}
