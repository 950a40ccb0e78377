//! The day that counts are for.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::base::text::berlin;

/// A day in Hamburg.
#[derive(Debug, Clone, Copy)]
pub struct Day {
    date: Date,
    /// When it begins and ends, so that most requests need no calendar.
    begins: Timestamp,
    ends: Timestamp,
}

impl Day {
    /// Returns the day of a time.
    pub fn of(time: Timestamp) -> Self {
        let zoned = time.to_zoned(berlin::zone());
        let begins = zoned.start_of_day();
        let ends = zoned.tomorrow().and_then(|tomorrow| tomorrow.start_of_day());
        Self {
            date: zoned.date(),
            begins: begins.map_or(time, |begins| begins.timestamp()),
            // The calendar ends in the year 9999.
            ends: ends.map_or(Timestamp::MAX, |ends| ends.timestamp()),
        }
    }

    /// Returns its date.
    pub fn date(self) -> Date {
        self.date
    }

    /// Returns whether a time is in it. A clock that is set back begins the earlier day again.
    pub fn has(self, time: Timestamp) -> bool {
        (self.begins..self.ends).contains(&time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_may_have_23_or_25_hours() {
        for (inside, last, next) in [
            (
                "2026-03-29T10:00:00Z",
                "2026-03-29T21:59:59Z",
                "2026-03-29T22:00:00Z",
            ),
            (
                "2026-10-25T10:00:00Z",
                "2026-10-25T22:59:59Z",
                "2026-10-25T23:00:00Z",
            ),
        ] {
            let day = Day::of(inside.parse().unwrap());
            assert!(day.has(last.parse().unwrap()));
            assert!(!day.has(next.parse().unwrap()));
            assert!(inside.starts_with(&day.date().to_string()));
        }
    }
}
