//! Log lines that an attack would repeat without end.

use std::time::{Duration, Instant};

/// Pause between two lines of one kind: often enough to see that an attack goes on, and 1440 lines a day at most.
const PAUSE: Duration = Duration::from_mins(1);

/// Whether it is time for another line of one kind.
#[derive(Debug, Default)]
pub struct Seldom(Option<Instant>);

impl Seldom {
    /// `true` the first time, and then once a minute at most.
    pub fn is_time(&mut self) -> bool {
        let is_time = self.0.is_none_or(|last| last.elapsed() >= PAUSE);
        if is_time {
            self.0 = Some(Instant::now());
        }
        is_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_not_repeated_at_once() {
        let mut seldom = Seldom::default();
        assert!(seldom.is_time());
        assert!(!seldom.is_time());
    }
}
