//! What an engine does, for those who watch over it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::base::metrics::Histogram;

/// What an engine has done since it was opened.
#[derive(Debug, Default)]
pub struct Activity {
    steps: AtomicU64,
    commits: Histogram,
}

impl Activity {
    /// Notes that work which may take long has got on.
    pub fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how often long work has got on. Whoever finds another number the next time knows that the
    /// disk answers, or that the deadline of a database has passed, which is all that a restart would bring about.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Notes a durable commit, and how long it took.
    pub fn committed(&self, time: Duration) {
        self.commits.observe(time);
    }

    /// Returns how many durable commits there were, and how long they took.
    pub fn commits(&self) -> &Histogram {
        &self.commits
    }
}
