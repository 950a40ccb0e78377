//! The time, which all instances must agree on: that of the database, or in tests one of the caller's.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

use crate::store::time::Clock;

/// Asks the database.
pub const NOW: &str = "SELECT clock_timestamp()";

/// Tells the time of the database, by how far this machine's clock was from it when it was asked last.
#[derive(Clone)]
pub struct Time {
    /// In milliseconds.
    ahead: Arc<AtomicI64>,
    /// In place of the database's.
    fixed: Option<Clock>,
}

impl Time {
    /// Begins with this machine's time, or with a clock of the caller's.
    pub fn new(fixed: Option<Clock>) -> Self {
        Self {
            ahead: Arc::new(AtomicI64::new(0)),
            fixed,
        }
    }

    /// Notes what the database says now.
    pub fn note(&self, database: Timestamp) {
        let ahead = database
            .as_millisecond()
            .saturating_sub(Timestamp::now().as_millisecond());
        self.ahead.store(ahead, Ordering::Relaxed);
    }

    /// Returns the time, in whole milliseconds as values keep it.
    pub fn now(&self) -> Timestamp {
        let now = if let Some(clock) = &self.fixed {
            clock()
        } else {
            let ahead = SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed));
            let now = Timestamp::now();
            now.saturating_add(ahead).unwrap_or(now)
        };
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }
}
