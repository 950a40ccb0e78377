//! Putting a new file in the place of the one in use: to erase, to compact, to remove traces.

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use redb::Database;

use super::State;
use crate::panics;
use crate::store::erasure::Erasure;
use crate::store::error::EraseError;
use crate::store::redb::copy::{self, CompactError, Replaced};
use crate::store::redb::directory::{self, DirectoryLock};
use crate::store::redb::handle::Handle;
use crate::store::writer::{Progress, Rewrite};

/// When the file is compacted if much of it is free: some time after the start of a server, and then once a day. No
/// command takes that long.
pub const COMPACT_AFTER_START: Duration = Duration::from_mins(1);
pub const COMPACT_EVERY: Duration = Duration::from_hours(24);

/// The largest file, in bytes, that is rewritten before those who wait hear of the commit: some 20,000 inquiries, which
/// takes 200 ms.
pub(super) const SMALL: u64 = 16 << 20;

/// The largest file, in bytes, that is rewritten soon because a visitor has removed a photo: that takes half a second to a second. One
/// of 2 GB takes 10 to 20 s, and whoever sends an inquiry meanwhile is refused. A larger file is therefore rewritten at the time for
/// compacting it, once a day, unless something else has it rewritten before.
pub(super) const MODERATE: u64 = 128 << 20;

impl State {
    pub(super) fn rewrite(&mut self, rewrite: Rewrite) {
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
    pub(super) fn compact(&mut self) -> bool {
        self.compact_at = Instant::now() + COMPACT_EVERY;
        if !self.has_file() || self.retry_at.is_some() {
            return false;
        }
        match self.copy(copy::compact) {
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
    pub(super) fn is_at_most(&self, bytes: u64) -> bool {
        std::fs::metadata(directory::file(self.source.data_dir())).is_ok_and(|file| file.len() <= bytes)
    }

    /// Puts a file without traces of what was removed in the place of the one in use, as soon as that is due.
    pub(super) fn remove_traces(&mut self) {
        if !self.wipes.is_due() {
            return;
        }
        if !self.has_file() {
            self.wipes.not_removed();
            return;
        }
        let started = Instant::now();
        let rewritten = self.copy(|database, data_dir, lock, now, step| {
            copy::rewrite(database, data_dir, lock, now, step).map(Some)
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

    /// Has the open file copied; `None` if there is none, or no copy is wanted.
    fn copy(
        &self,
        copy: impl FnOnce(
            &Database,
            &Path,
            &DirectoryLock,
            Timestamp,
            &dyn Fn(),
        ) -> Result<Option<Replaced>, CompactError>,
    ) -> Result<Option<Replaced>, CompactError> {
        let lock = self.source.lock()?;
        let handle = self.parts.handle.read();
        let Some(database) = handle.as_ref() else {
            return Ok(None);
        };
        let step = || self.parts.context.activity.step();
        copy(
            database,
            self.source.data_dir(),
            &lock,
            (self.parts.clock)(),
            &step,
        )
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
}
