//! What is known of the disk, or of the database, without asking it.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// How long a commit shows that the disk can be written: a health check costs at most one write in this time.
const COMMIT_TTL: Duration = Duration::from_secs(5);

/// How long a failed check is good for: long enough that many checks cost one write, short enough that a disk with room
/// again is soon found.
const UNWRITABLE_TTL: Duration = Duration::from_secs(1);

/// The outcome of the last write, shared by the writer and by health checks.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<Outcome>>);

#[derive(Debug, Clone, Copy)]
struct Outcome {
    at: Instant,
    is_writable: bool,
}

impl Health {
    /// Notes a durable commit.
    pub fn set_committed(&self) {
        self.set(true);
    }

    /// Notes that a check has failed.
    pub fn set_unwritable(&self) {
        self.set(false);
    }

    /// Forgets what is known: a write has failed, and the next check must ask the disk.
    pub fn forget(&self) {
        *self.0.lock() = None;
    }

    /// Returns whether the disk can be written, if that is known.
    pub fn known(&self) -> Option<bool> {
        let Outcome { at, is_writable } = (*self.0.lock())?;
        let ttl = if is_writable { COMMIT_TTL } else { UNWRITABLE_TTL };
        (at.elapsed() < ttl).then_some(is_writable)
    }

    fn set(&self, is_writable: bool) {
        let at = Instant::now();
        *self.0.lock() = Some(Outcome { at, is_writable });
    }
}
