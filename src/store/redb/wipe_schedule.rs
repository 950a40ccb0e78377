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
    /// When they are to be removed; `None` if there are none.
    due: Option<Instant>,
    /// Not before; `None` for at once.
    next: Option<Instant>,
}

impl WipeSchedule {
    /// Begins with what a file says of itself.
    pub fn found(are_there: bool) -> Self {
        Self {
            due: are_there.then(Instant::now),
            next: None,
        }
    }

    /// Notes that there are some, which are to be removed at this time at the latest.
    pub fn add(&mut self, due: Instant) {
        self.due = Some(self.due.map_or(due, |earlier| earlier.min(due)));
    }

    /// Returns when they are to be removed; `None` if there are none.
    pub fn due(&self) -> Option<Instant> {
        self.due.max(self.due.and(self.next))
    }

    /// Returns whether they are to be removed now.
    pub fn is_due(&self) -> bool {
        self.due().is_some_and(|due| due <= Instant::now())
    }

    /// Notes that they are gone with the file that held them.
    pub fn gone(&mut self) {
        self.due = None;
    }

    /// Notes how long it took to remove them.
    pub fn removed(&mut self, took: Duration) {
        self.next = Some(Instant::now() + took * PAUSE);
    }

    /// Notes that they could not be removed.
    pub fn not_removed(&mut self) {
        self.next = Some(Instant::now() + RETRY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn what_may_wait_goes_with_what_may_not() {
        let (mut wipes, now) = (WipeSchedule::default(), Instant::now());
        assert_eq!(wipes.due(), None);
        wipes.add(now + HOUR);
        assert_eq!(wipes.due(), Some(now + HOUR));
        assert!(!wipes.is_due());
        wipes.add(now);
        wipes.add(now + HOUR);
        assert!(wipes.is_due());
        wipes.gone();
        assert_eq!(wipes.due(), None);
    }

    #[test]
    fn a_long_rewrite_is_followed_by_a_longer_pause() {
        let (mut wipes, now) = (WipeSchedule::found(true), Instant::now());
        assert!(wipes.is_due());
        wipes.gone();
        wipes.removed(Duration::from_secs(1));
        wipes.add(now);
        assert!(wipes.due() >= Some(now + Duration::from_secs(20)));
        wipes.gone();
        wipes.add(now + HOUR);
        assert_eq!(wipes.due(), Some(now + HOUR));
    }
}
