//! Limits on log lines that an attack would otherwise repeat endlessly.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Default pause between two lines of one kind: short enough to see that an attack continues, and at most
/// 1440 lines a day.
const PAUSE: Duration = Duration::from_mins(1);

/// Lets one line of a kind through at a time.
#[derive(Debug)]
pub struct LogThrottle {
    pause: Duration,
    last: Mutex<Option<Instant>>,
}

impl LogThrottle {
    /// Creates a throttle with this pause between two lines.
    pub fn every(pause: Duration) -> Self {
        Self {
            pause,
            last: Mutex::default(),
        }
    }

    /// Returns `true` the first time, and then once after each pause.
    pub fn is_due(&self) -> bool {
        let mut last = self.last.lock();
        let is_due = last.is_none_or(|last| last.elapsed() >= self.pause);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

impl Default for LogThrottle {
    fn default() -> Self {
        Self::every(PAUSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_not_repeated_at_once() {
        let throttle = LogThrottle::default();
        assert!(throttle.is_due());
        assert!(!throttle.is_due());
        let throttle = LogThrottle::every(Duration::ZERO);
        assert!(throttle.is_due() && throttle.is_due());
    }
}
