//! State shared by the writer and the callers of a store.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::base::metrics::Distribution;
use crate::domain::referral::Secret;
use crate::store::values::holds::Holds;

/// State shared by the writer and the callers of a store.
#[derive(Debug, Default)]
pub struct Context {
    /// Whether the store is writable.
    pub health: Health,
    /// Counters of steps and commits.
    pub activity: Activity,
    /// The deliveries this process is working on.
    pub holds: Holds,
    /// Notified when something may have become due.
    pub has_due: Notify,
    /// Counts the changes to reviews that this process has committed or seen, each before its caller gets the reply.
    pub review_changes: AtomicU64,
    /// The secret from which tokens are derived; set once the store has been read.
    pub secret: OnceLock<Secret>,
}

/// How long a commit proves that the disk is writable: health checks write at most once in this time.
const COMMIT_TTL: Duration = Duration::from_secs(5);

/// How long a failed check is cached: long enough that many checks cost one write, short enough that a recovered disk is soon
/// noticed.
const UNWRITABLE_TTL: Duration = Duration::from_secs(1);

/// Outcome and time of the last write, shared by the writer and by health checks.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<(Instant, bool)>>);

impl Health {
    /// Records whether the disk could be written.
    pub fn set(&self, is_writable: bool) {
        *self.0.lock() = Some((Instant::now(), is_writable));
    }

    /// Forgets the last outcome: a write has failed, so the next check must try the disk.
    pub fn forget(&self) {
        *self.0.lock() = None;
    }

    /// Whether the disk is writable, if that was determined recently.
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
    /// Records progress of work that may take long.
    pub fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of steps the writer has taken. As long as it grows, the disk answers or the database's deadline has passed, and a
    /// restart would not help.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Records a durable commit and how long it took.
    pub fn committed(&self, time: Duration) {
        self.commits.lock().add(time);
    }

    /// Number and duration of the durable commits.
    pub fn commits(&self) -> Distribution {
        self.commits.lock().clone()
    }
}
