//! Going on after a fault: redb refuses all work on a file that failed until it is opened again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::State;
use crate::panics;
use crate::store::redb::directory;
use crate::store::redb::handle::Handle;

/// How long the writer waits before it opens the file again after a fault, for the first time and at most. A
/// disk that has room again is used again within the latter.
pub(super) const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

impl State {
    /// Opens the file again when a fault closed it and it is time to.
    pub(super) fn reopen(&mut self) {
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

    /// Closes the file after a fault. Until it can be written, it is read without writing.
    pub(super) fn give_up(&mut self) {
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

    pub(super) fn close(&mut self, handle: &mut Option<Handle>) {
        if let Some(reading) = self.reading.take() {
            reading.revoke();
        }
        let handle = handle.take();
        if let Err(panic) = panics::catch(|| drop(handle)) {
            tracing::error!(error = %panic, "the store was not closed cleanly");
        }
    }
}
