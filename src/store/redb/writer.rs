//! What the writer's thread does.

mod recovery;
mod rewriting;

pub use rewriting::{COMPACT_AFTER_START, COMPACT_EVERY};

use std::mem;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout_at;

use super::erasure_log::ErasureLog;
use super::error::attempt;
use super::handle::Shared;
use super::memory::Memory;
use super::overlay::Revocation;
use super::place::Place;
use super::source::DatabaseSource;
use super::transaction::{self, ATTEMPT, Around, Committed, FreePages, Traces};
use super::wipe_schedule::WipeSchedule;
use crate::files::FileIdentity;
use crate::referral::Secret;
use crate::store::core::Job;
use crate::store::time::Clock;
use crate::store::writer::{Context, MAX_BATCH, Message};
use recovery::BACK_OFF;
use rewriting::{MODERATE, SMALL};

/// What the writer shares with readers.
pub struct Parts {
    /// What it shares with callers.
    pub context: Context,
    /// The open file.
    pub handle: Shared,
    /// The time.
    pub clock: Clock,
    /// What tokens follow from.
    pub secret: Secret,
    /// When the store was opened.
    pub opened_at: Timestamp,
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

/// From this many requests on, a commit lists the free pages of the file: the list takes as long as twenty of them.
const LISTED_BATCH: usize = 64;

/// How long the list of free pages may be out of date. A server that is killed in this time reads its file as a whole when
/// it starts again.
const LIST_AFTER: Duration = Duration::from_secs(1);

/// How often the writer checks that the file is still in place, when nobody writes.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// What the writer's thread works with.
pub struct State {
    parts: Parts,
    source: DatabaseSource,
    place: Place,
    /// When the writer looks there next.
    look_at: Instant,
    memory: Memory,
    back_off: Duration,
    /// When the file may be opened for writing again after a fault.
    retry_at: Option<Instant>,
    /// Ends reading it meanwhile.
    reading: Option<Revocation>,
    /// When the free pages of the file are to be listed; `None` if they are.
    list_at: Option<Instant>,
    /// When the file is compacted next.
    compact_at: Instant,
    wipes: WipeSchedule,
    erased: ErasureLog,
}

impl State {
    /// Prepares the thread.
    pub fn new(parts: Parts, source: DatabaseSource, upkeep: Upkeep) -> Self {
        Self {
            erased: ErasureLog::of(source.data_dir()),
            parts,
            place: Place::new(source.data_dir(), upkeep.identity),
            look_at: Instant::now() + LOOK_EVERY,
            source,
            memory: Memory::new(),
            back_off: BACK_OFF.0,
            retry_at: None,
            reading: None,
            list_at: None,
            compact_at: Instant::now() + upkeep.compact_after,
            wipes: WipeSchedule::found(upkeep.has_traces),
        }
    }

    /// Works until nobody can ask any more; then closes the file.
    pub async fn run(mut self, mut requests: Receiver<Message>) {
        while let Some(first) = self.next(&mut requests).await {
            // Where this thread shares a core with those that serve visitors, waking it has interrupted them. They have more
            // requests at hand, which then share a commit; where nobody waits for the core, this takes half a microsecond.
            thread::yield_now();
            let mut batch = Vec::new();
            let mut next = Some(first);
            for taken in 1.. {
                let Some(message) = next.take() else { break };
                match message {
                    Message::Write(job) => batch.push(job),
                    Message::Rewrite(rewrite) => {
                        self.write(mem::take(&mut batch));
                        self.rewrite(rewrite);
                    }
                    Message::SetPolicy(policy) => {
                        self.write(mem::take(&mut batch));
                        self.memory.matching.set_policy(policy);
                    }
                }
                if taken < MAX_BATCH {
                    next = requests.try_recv().ok();
                }
            }
            self.write(batch);
        }
        let handle = Arc::clone(&self.parts.handle);
        self.close(&mut handle.write());
    }

    /// Waits for the next request; `None` when there will be none. Meanwhile it opens the file again after a fault, so that
    /// it can be read even when nobody wants to write, and compacts it when nobody writes.
    async fn next(&mut self, requests: &mut Receiver<Message>) -> Option<Message> {
        loop {
            let wake_at = self.retry_at.unwrap_or_else(|| {
                let due = [self.wipes.due(), self.list_at];
                due.into_iter().flatten().fold(self.compact_at, Instant::min)
            });
            let wake_at = wake_at.min(self.look_at);
            match timeout_at(wake_at.into(), requests.recv()).await {
                Ok(request) => return request,
                Err(_) if is_over(self.look_at) => {
                    self.has_file();
                }
                Err(_) if self.retry_at.is_some() => self.reopen(),
                Err(_) if self.wipes.is_due() => self.remove_traces(),
                Err(_) if self.list_at.is_some_and(is_over) => self.list_free_pages(),
                Err(_) => drop(self.compact()),
            }
        }
    }

    /// Commits a batch and replies to each request in it. Those that are dropped without a reply hear that the store is
    /// unavailable.
    fn write(&mut self, mut batch: Vec<Box<dyn Job>>) {
        if batch.is_empty() {
            return;
        }
        self.reopen();
        if self.retry_at.is_some() || !self.has_file() {
            // An answer, too, shows that it does not hang.
            self.parts.context.activity.step();
            return;
        }
        let committed = self.commit(&mut batch);
        self.parts.context.activity.step();
        match committed {
            Ok(committed) => {
                if let Some(traces) = committed.traces {
                    let may_wait = traces == Traces::OfPhotos && !self.is_at_most(MODERATE);
                    let due = if may_wait { self.compact_at } else { Instant::now() };
                    self.wipes.add(due);
                }
                // What went to a file that nobody finds again is not acknowledged.
                if !self.has_file() {
                    return;
                }
                // Callers who withdraw an inquiry get the answer once nothing of it is left, unless that would hold up others.
                if self.wipes.is_due() && self.is_at_most(SMALL) {
                    self.remove_traces();
                }
                self.parts.context.tell(batch, ATTEMPT, committed.effects);
            }
            Err(error) => {
                tracing::error!(%error, "the store cannot be written");
                self.give_up();
            }
        }
    }

    /// Returns whether the open file is where everybody looks for it.
    fn has_file(&mut self) -> bool {
        self.look_at = Instant::now() + LOOK_EVERY;
        // Not while a fault has it closed: opening it again says what is there.
        let has_file = self.retry_at.is_some() || self.place.has_file();
        if !has_file {
            self.parts.context.health.forget();
        }
        has_file
    }

    fn commit(&mut self, batch: &mut Vec<Box<dyn Job>>) -> Result<Committed, redb::Error> {
        let now = (self.parts.clock)();
        let handle = self.parts.handle.read();
        let Some(database) = handle.as_ref() else {
            batch.clear();
            return Ok(Committed::default());
        };
        let free_pages = if batch.len() >= LISTED_BATCH || self.list_at.is_some_and(is_over) {
            FreePages::Listed
        } else {
            FreePages::Unlisted
        };
        let (memory, context) = (&mut self.memory, &self.parts.context);
        // They end with the lease's holder alone here; nobody else waits for them.
        drop(context.holds.take_let_go());
        let around = Around {
            holds: &context.holds,
            secret: &self.parts.secret,
            opened_at: self.parts.opened_at,
            erased: &self.erased,
        };
        let started = Instant::now();
        let written = attempt(|| {
            let memory = memory.lend(database, now)?;
            transaction::commit(database, memory, &around, batch, now, free_pages)
        });
        // Before any caller hears of it, so that the next check asks the disk.
        let committed = written.inspect_err(|_| context.health.forget())?;
        self.memory.keep();
        if committed.is_changed {
            context.activity.committed(started.elapsed());
            context.health.set_committed();
            self.back_off = BACK_OFF.0;
            self.list_at = match free_pages {
                FreePages::Listed => None,
                FreePages::Unlisted => self.list_at.or_else(|| Some(Instant::now() + LIST_AFTER)),
            };
        }
        Ok(committed)
    }

    /// Lists the free pages of the file when nobody writes.
    fn list_free_pages(&mut self) {
        self.list_at = None;
        let listed = {
            let handle = self.parts.handle.read();
            let Some(database) = handle.as_ref() else { return };
            attempt(|| transaction::list_free_pages(database))
        };
        if let Err(error) = listed {
            self.parts.context.health.forget();
            tracing::error!(%error, "the store cannot be written");
            self.give_up();
        }
    }
}

fn is_over(at: Instant) -> bool {
    at <= Instant::now()
}
