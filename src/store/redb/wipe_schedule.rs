//! When the file is rewritten because free pages of it hold traces of personal data that was removed.

use std::time::{Duration, Instant};

/// How much longer than a rewrite the pause after it is: visitors who withdraw inquiries must not keep others from
/// storing theirs. Of a file with 100,000 inquiries, which takes a second, traces are gone within twenty seconds; of a
/// small one at once.
const PAUSE: u32 = 20;

/// How long to wait after a rewrite that failed.
const RETRY: Duration = Duration::from_mins(1);

/// Whether there are traces, and when they may be removed.
#[derive(Debug, Default)]
pub struct WipeSchedule {
    are_there: bool,
    /// Not before; `None` for at once.
    next: Option<Instant>,
}

impl WipeSchedule {
    /// Begins with what a file says of itself.
    pub fn found(are_there: bool) -> Self {
        Self {
            are_there,
            next: None,
        }
    }

    /// Notes that there are some.
    pub fn add(&mut self) {
        self.are_there = true;
    }

    /// Returns when they are to be removed; `None` if there are none.
    pub fn due(&self) -> Option<Instant> {
        self.are_there.then(|| self.next.unwrap_or_else(Instant::now))
    }

    /// Returns whether they are to be removed now.
    pub fn is_due(&self) -> bool {
        self.due().is_some_and(|due| due <= Instant::now())
    }

    /// Notes that they are gone, and how long that took.
    pub fn removed(&mut self, took: Duration) {
        self.are_there = false;
        self.next = Some(Instant::now() + took * PAUSE);
    }

    /// Notes that they could not be removed.
    pub fn not_removed(&mut self) {
        self.next = Some(Instant::now() + RETRY);
    }
}
