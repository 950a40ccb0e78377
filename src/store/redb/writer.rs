//! What the writer's thread does.

use std::mem;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout_at;

use super::copy::{self, CompactError, Replaced};
use super::directory;
use super::erasure_log::ErasureLog;
use super::error::attempt;
use super::handle::{Handle, Shared};
use super::memory::Memory;
use super::overlay::Revocation;
use super::place::Place;
use super::source::DatabaseSource;
use super::transaction::{self, ATTEMPT, Around, Committed, FreePages, Traces};
use super::wipe_schedule::WipeSchedule;
use crate::files::FileIdentity;
use crate::panics;
use crate::referral::Secret;
use crate::store::core::Job;
use crate::store::erasure::Erasure;
use crate::store::error::EraseError;
use crate::store::time::Clock;
use crate::store::writer::{Context, MAX_BATCH, Message, Progress, Rewrite};

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

/// How long the writer waits before it opens the file again after a fault, for the first time and at most. A
/// disk that has room again is used again within the latter.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// When the file is compacted if much of it is free: some time after the start of a server, and then once a day. No
/// command takes that long.
pub const COMPACT_AFTER_START: Duration = Duration::from_mins(1);
pub const COMPACT_EVERY: Duration = Duration::from_hours(24);

/// How often it is made sure that the file is where it was, when nobody writes.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The largest file, in bytes, that is rewritten before those who wait hear of the commit: some 20,000 inquiries, which
/// takes 200 ms.
const SMALL: u64 = 16 << 20;

/// The largest file, in bytes, that is rewritten soon because a visitor has removed a photo: that takes half a second to a second. One
/// of 2 GB takes 10 to 20 s, and whoever sends an inquiry meanwhile is refused. A larger file is therefore rewritten at the time for
/// compacting it, once a day, unless something else has it rewritten before.
const MODERATE: u64 = 128 << 20;

/// What the writer's thread works with.
pub struct State {
    parts: Parts,
    source: DatabaseSource,
    place: Place,
    /// When it is looked there next.
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
                // Whoever withdraws an inquiry hears of it when nothing is left, unless that would hold up others.
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

    fn rewrite(&mut self, rewrite: Rewrite) {
        match rewrite {
            Rewrite::Erase { what, begun, reply } => {
                let progress = Progress::default();
                // A caller that has given up was told that nothing is erased.
                if begun.send(progress.clone()).is_ok() {
                    // From here on it is done even if nobody waits.
                    drop(reply.send(self.erase(&what, &progress)));
                }
            }
            Rewrite::Compact { reply } => drop(reply.send(self.compact())),
        }
    }

    /// Puts a file without its free pages in the place of the one in use, if that is worth it; returns whether it did.
    fn compact(&mut self) -> bool {
        self.compact_at = Instant::now() + COMPACT_EVERY;
        if !self.has_file() || self.retry_at.is_some() {
            return false;
        }
        let compacted = self.source.lock().map_err(CompactError::from).and_then(|lock| {
            let handle = self.parts.handle.read();
            let Some(database) = handle.as_ref() else {
                return Ok(None);
            };
            let step = || self.parts.context.activity.step();
            copy::compact(
                database,
                self.source.data_dir(),
                &lock,
                (self.parts.clock)(),
                &step,
            )
        });
        match compacted {
            Ok(None) => false,
            Ok(Some(replaced)) => {
                self.use_compacted(replaced);
                tracing::info!("the file of inquiries was compacted");
                true
            }
            Err(error) => {
                tracing::warn!(%error, "the file of inquiries was not compacted");
                false
            }
        }
    }

    /// Returns whether the file has at most so many bytes, so that rewriting it takes no longer than that.
    fn is_at_most(&self, bytes: u64) -> bool {
        std::fs::metadata(directory::file(self.source.data_dir())).is_ok_and(|file| file.len() <= bytes)
    }

    /// Puts a file without traces of what was removed in the place of the one in use, as soon as that is due.
    fn remove_traces(&mut self) {
        if !self.wipes.is_due() {
            return;
        }
        if !self.has_file() {
            self.wipes.not_removed();
            return;
        }
        let started = Instant::now();
        let rewritten = self.source.lock().map_err(CompactError::from).and_then(|lock| {
            let handle = self.parts.handle.read();
            let Some(database) = handle.as_ref() else {
                return Ok(None);
            };
            let step = || self.parts.context.activity.step();
            let (data_dir, now) = (self.source.data_dir(), (self.parts.clock)());
            copy::rewrite(database, data_dir, &lock, now, &step).map(Some)
        });
        match rewritten {
            Ok(None) => {}
            Ok(Some(replaced)) => {
                self.use_compacted(replaced);
                self.wipes.removed(started.elapsed());
            }
            Err(error) => {
                tracing::warn!(%error, "the file still holds traces of what was erased; it is tried again");
                self.wipes.not_removed();
            }
        }
    }

    fn use_compacted(&mut self, replaced: Replaced) {
        if let Err(error) = self.use_file(replaced) {
            tracing::error!(%error, "the disk may not keep the compacted file over a power cut");
            self.give_up();
        }
    }

    /// Puts a file without the erased inquiries in the place of the one in use.
    fn erase(&mut self, what: &Erasure, progress: &Progress) -> Result<u64, EraseError> {
        if !self.has_file() {
            return Err(EraseError::Unavailable);
        }
        self.reopen();
        let lock = self.source.lock();
        let lock = lock.map_err(|error| EraseError::Failed(error.to_string()))?;
        let erased = {
            let handle = self.parts.handle.read();
            let handle = handle.as_ref().ok_or(EraseError::Unavailable)?;
            let now = (self.parts.clock)();
            let step = || {
                progress.step();
                self.parts.context.activity.step();
            };
            copy::erase(handle, self.source.data_dir(), &lock, what, now, &step)?
        };
        if let Some(replaced) = erased.file
            && let Err(error) = self.use_file(replaced)
        {
            self.give_up();
            return Err(EraseError::Unsure(error.to_string()));
        }
        if erased.count > 0 {
            tracing::info!(count = erased.count, "inquiries were erased");
            self.parts.context.reviews.touch();
            // Firms may have to be told.
            self.parts.context.has_due.notify_one();
        }
        Ok(erased.count)
    }

    /// Uses the file that has taken the place of the one in use.
    ///
    /// # Errors
    /// When its name is not durable yet. It must not be written before it has been opened again, which makes sure of
    /// that: a power cut would otherwise bring back the file before, without what was acknowledged since.
    fn use_file(&mut self, replaced: Replaced) -> std::io::Result<()> {
        let old = self.parts.handle.write().replace(Handle::from(replaced.database));
        self.wipes.gone();
        self.place.replaced();
        if self.retry_at.take().is_some() {
            // The previous transaction failed and this one succeeded. Readers of the previous state may continue, since it is never written again.
            self.reading = None;
            self.memory.doubt();
        }
        // It is no longer in the directory; however it closes, nothing depends on it.
        let _ = panics::catch(|| old.map(Handle::close_when_unused));
        replaced.named
    }

    /// Opens the file again when a fault closed it and it is time to.
    fn reopen(&mut self) {
        if self.retry_at.is_none_or(|retry_at| Instant::now() < retry_at) {
            return;
        }
        // Reading goes on without interruption until the disk has room.
        if self.reading.is_some() && !directory::has_room(self.source.data_dir()) {
            self.wait_longer();
            return;
        }
        let handle = Arc::clone(&self.parts.handle);
        let mut handle = handle.write();
        self.close(&mut handle);
        match self.source.open() {
            Ok(opened) => {
                *handle = Some(Handle::from(opened.database));
                self.place.opened(opened.identity);
                self.retry_at = None;
                self.memory.doubt();
                tracing::info!("the store was opened again");
            }
            Err(error) => {
                tracing::error!(%error, "the store cannot be opened again");
                self.read_only(&mut handle);
                self.wait_longer();
            }
        }
    }

    /// Closes the file after a fault: redb refuses all work on a file that failed until it is opened again. Until it can be written,
    /// it is read without writing.
    fn give_up(&mut self) {
        let handle = Arc::clone(&self.parts.handle);
        let mut handle = handle.write();
        self.close(&mut handle);
        self.read_only(&mut handle);
        self.wait_longer();
    }

    fn read_only(&mut self, handle: &mut Option<Handle>) {
        if let Some((database, revocation)) = self.source.reading() {
            *handle = Some(Handle::from(database));
            self.reading = Some(revocation);
        }
    }

    fn wait_longer(&mut self) {
        self.retry_at = Some(Instant::now() + self.back_off);
        self.back_off = (self.back_off * 2).min(BACK_OFF.1);
    }

    fn close(&mut self, handle: &mut Option<Handle>) {
        if let Some(reading) = self.reading.take() {
            reading.revoke();
        }
        let handle = handle.take();
        if let Err(panic) = panics::catch(|| drop(handle)) {
            tracing::error!(error = %panic, "the store was not closed cleanly");
        }
    }
}

fn is_over(at: Instant) -> bool {
    at <= Instant::now()
}
