//! The checks of firms: who looked at what and when.

use jiff::civil::Date;
use jiff::{Timestamp, tz};

/// What somebody has checked of a firm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Who has checked it.
    pub by: String,
    /// The day in Hamburg, which is not in the future.
    pub on: Date,
    /// What was looked at, such as an insurance.
    pub what: Vec<String>,
}

impl Check {
    /// Returns the last day on which it counts: the one before the same day a year later. A year after 29 February that is 28
    /// February (§ 188 BGB).
    pub fn last_day(&self) -> Date {
        let year = self.on.year().saturating_add(1);
        let same = Date::new(year, self.on.month(), self.on.day());
        let last = same.and_then(Date::yesterday);
        last.or_else(|_| Date::new(year, 2, 28)).unwrap_or(self.on)
    }

    /// Returns whether it counts on a day.
    pub fn counts(&self, today: Date) -> bool {
        self.on <= today && today <= self.last_day()
    }
}

/// Returns the day that it is in Hamburg.
pub fn day_in_hamburg(time: Timestamp) -> Date {
    time.to_zoned(tz::get!("Europe/Berlin")).date()
}
