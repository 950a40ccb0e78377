//! What the writer shares with the callers of a store.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::base::metrics::Distribution;
use crate::domain::referral::Secret;
use crate::store::operations::ReviewChanges;
use crate::store::values::holds::Holds;

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
    /// What tokens follow from, once the store was read.
    pub secret: Arc<OnceLock<Secret>>,
}

/// How long a commit shows that the disk can be written: a health check costs at most one write in this time.
const COMMIT_TTL: Duration = Duration::from_secs(5);

/// How long a failed check is good for: long enough that many checks cost one write, short enough that a disk with room
/// again is soon found.
const UNWRITABLE_TTL: Duration = Duration::from_secs(1);

/// Whether the last write was made, and when: shared by the writer and by health checks.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<(Instant, bool)>>);

impl Health {
    /// Notes whether the disk could be written.
    pub fn set(&self, is_writable: bool) {
        *self.0.lock() = Some((Instant::now(), is_writable));
    }

    /// Forgets what is known: a write has failed, and the next check must ask the disk.
    pub fn forget(&self) {
        *self.0.lock() = None;
    }

    /// Returns whether the disk can be written, if that is known.
    pub fn known(&self) -> Option<bool> {
        let (at, is_writable) = (*self.0.lock())?;
        let ttl = if is_writable { COMMIT_TTL } else { UNWRITABLE_TTL };
        (at.elapsed() < ttl).then_some(is_writable)
    }
}

/// What an engine has done since it was opened.
#[derive(Debug, Default)]
pub struct Activity {
    steps: AtomicU64,
    commits: Mutex<Distribution>,
}

impl Activity {
    /// Notes that work which may take long has got on.
    pub fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how many steps the writer has taken. If the number has changed since the last look, the disk answers, or the deadline
    /// of a database has passed, and a restart would bring about no more.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Notes a durable commit, and how long it took.
    pub fn committed(&self, time: Duration) {
        self.commits.lock().add(time);
    }

    /// Returns how many durable commits there were, and how long they took.
    pub fn commits(&self) -> Distribution {
        self.commits.lock().clone()
    }
}
