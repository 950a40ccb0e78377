//! Plausibility check of the clock. A clock that has jumped is not trusted at once, since too much would be erased.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// The largest plausible distance of the clock from the last known time. Servers are rarely off for longer, and an error of a day
/// erases little too early.
const LEAP: SignedDuration = SignedDuration::from_hours(24);

/// The time until a clock that has jumped is trusted: enough for an operator to notice and correct it.
const PROOF: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The maximum age of the stored time. Each update is a write.
const NOTE_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// The time as known to a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reckoning {
    /// The last trusted time.
    pub known: Option<Timestamp>,
    /// When the clock stopped being trusted, by its own time.
    pub doubted_since: Option<Timestamp>,
}

impl Reckoning {
    /// The state of a trusted clock.
    pub fn believing(now: Timestamp) -> Self {
        Self {
            known: Some(now),
            doubted_since: None,
        }
    }

    /// Checks the clock against the known time.
    #[must_use]
    pub fn judge(self, now: Timestamp) -> Self {
        let is_plausible = |known: Timestamp| now.duration_since(known).abs() <= LEAP;
        if self.known.is_none_or(is_plausible) {
            return Self::believing(now);
        }
        let doubted = self.doubted_since.map(|since| now.duration_since(since));
        match doubted {
            Some(time) if (SignedDuration::ZERO..PROOF).contains(&time) => self,
            Some(time) if (PROOF..=PROOF + LEAP).contains(&time) => Self::believing(now),
            // The clock has just jumped, or jumped again.
            _ => Self {
                doubted_since: Some(now),
                ..self
            },
        }
    }

    /// Whether the clock may be ahead. A clock that is behind erases nothing too early.
    pub fn may_be_ahead(&self) -> bool {
        self.doubted_since > self.known
    }

    /// When the clock will be trusted if it does not jump again.
    pub fn believed_from(&self) -> Option<Timestamp> {
        self.doubted_since?.checked_add(PROOF).ok()
    }

    /// Whether the difference from the stored state `noted` is worth a write.
    pub fn is_news(&self, noted: &Self) -> bool {
        let age = |known: Timestamp| self.known.map(|now| now.duration_since(known).abs());
        self.doubted_since != noted.doubted_since
            || noted.known.and_then(age).is_none_or(|age| age >= NOTE_EVERY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(500_000 + hours)
    }

    /// Feeds a clock showing these hours in turn; returns at which of them it may be ahead.
    fn judge(hours: &[i64]) -> Vec<bool> {
        let mut reckoning = Reckoning::default();
        let judged = hours.iter().map(|&hours| {
            reckoning = reckoning.judge(at(hours));
            reckoning.may_be_ahead()
        });
        judged.collect()
    }

    #[test]
    fn a_clock_that_goes_on_is_believed() {
        assert_eq!(judge(&[0, 1, 23, 47, 71, 70, 60]), [false; 7]);
    }

    #[test]
    fn a_leap_ahead_is_not_believed_until_a_week_has_passed() {
        for leap in [25, 48, 24 * 400, 24 * 36_500] {
            assert_eq!(
                judge(&[0, leap, leap + 1, leap + 7 * 24 - 1, leap + 7 * 24, leap + 8 * 24]),
                [false, true, true, true, false, false],
                "{leap}"
            );
        }
    }

    #[test]
    fn a_second_leap_proves_nothing() {
        assert_eq!(judge(&[0, 9_600, 19_200, 19_201]), [false, true, true, true]);
        assert_eq!(judge(&[0, 9_600, 0, 1, 9_600]), [false, true, false, false, true]);
    }

    #[test]
    fn a_clock_that_was_behind_for_a_while_is_believed_as_soon_as_it_is_right() {
        assert_eq!(judge(&[0, -9_600, -9_599, 1]), [false; 4]);
        // A time that was trusted by mistake is dropped after a week.
        assert_eq!(
            judge(&[9_600, 0, 7 * 24, 7 * 24 + 1, 9_700]),
            [false, false, false, false, true]
        );
    }

    #[test]
    fn it_is_noted_once_an_hour_and_when_doubts_begin_or_end() {
        let noted = Reckoning::believing(at(0));
        assert!(noted.is_news(&Reckoning::default()));
        assert!(!Reckoning::believing(at(0)).is_news(&noted));
        assert!(Reckoning::believing(at(1)).is_news(&noted));
        let doubted = noted.judge(at(100));
        assert!(doubted.is_news(&noted));
        assert!(!doubted.judge(at(101)).is_news(&doubted));
    }
}
