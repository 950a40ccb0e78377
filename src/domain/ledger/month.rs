//! Calendar months in Hamburg.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};

use crate::base::text::{Malformed, berlin, serde_as_text};

/// The first year accepted in a month: long before any inquiry.
const FIRST_YEAR: i16 = 2000;

/// A month in Europe/Berlin, by its first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(Date);

serde_as_text!(Month, Month::from_str);

/// The error for text that is not a month.
const NOT_A_MONTH: Malformed = Malformed("expected a month such as 2026-11");

impl Month {
    /// The month that contains a time.
    pub fn of(time: Timestamp) -> Self {
        Self(berlin::day(time).first_of_month())
    }

    /// The number of months since the year 0, which orders months.
    pub fn number(self) -> u32 {
        u32::from(self.0.year().unsigned_abs()) * 12 + u32::from(self.0.month().unsigned_abs()) - 1
    }

    /// The next month.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1.month()))
    }

    /// The previous month.
    #[must_use]
    pub fn previous(self) -> Self {
        Self(self.0.saturating_sub(1.month()))
    }

    /// The first day of the month.
    pub fn first_day(self) -> Date {
        self.0
    }

    /// The last day of the month.
    pub fn last_day(self) -> Date {
        self.0.last_of_month()
    }

    /// When the month begins.
    pub fn begins(self) -> Timestamp {
        let midnight = self.first_day().to_zoned(berlin::zone());
        midnight.map_or(Timestamp::MAX, |midnight| midnight.timestamp())
    }

    /// Whether the month is over.
    pub fn is_over(self, now: Timestamp) -> bool {
        now >= self.next().begins()
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

impl FromStr for Month {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let first: Date = format!("{text}-01").parse().map_err(|_| NOT_A_MONTH)?;
        let month = Self(first);
        // A date has other spellings.
        let is_plain = month.to_string() == text;
        (is_plain && first.year() >= FIRST_YEAR)
            .then_some(month)
            .ok_or(NOT_A_MONTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_those_of_hamburg() {
        // The last millisecond before midnight, and midnight: in winter, in summer, and at the changes between them.
        for (last, first, month) in [
            ("2026-10-31T22:59:59.999Z", "2026-10-31T23:00:00Z", "2026-11"),
            ("2026-11-30T22:59:59.999Z", "2026-11-30T23:00:00Z", "2026-12"),
            ("2026-12-31T22:59:59.999Z", "2026-12-31T23:00:00Z", "2027-01"),
            ("2026-03-31T21:59:59.999Z", "2026-03-31T22:00:00Z", "2026-04"),
            ("2026-02-28T22:59:59.999Z", "2026-02-28T23:00:00Z", "2026-03"),
            ("2028-02-29T22:59:59.999Z", "2028-02-29T23:00:00Z", "2028-03"),
            ("2026-07-31T21:59:59.999Z", "2026-07-31T22:00:00Z", "2026-08"),
        ] {
            let (last, first): (Timestamp, Timestamp) = (last.parse().unwrap(), first.parse().unwrap());
            let month: Month = month.parse().unwrap();
            assert_eq!(
                (Month::of(first), Month::of(last).next()),
                (month, month),
                "{month}"
            );
            assert_eq!(month.previous(), Month::of(last), "{month}");
            assert_eq!(month.begins(), first, "{month}");
            assert!(
                Month::of(last).is_over(first) && !Month::of(last).is_over(last),
                "{month}"
            );
        }
        let march: Month = "2026-03".parse().unwrap();
        assert_eq!(
            march.next().begins().duration_since(march.begins()).as_hours(),
            31 * 24 - 1
        );
        let october: Month = "2026-10".parse().unwrap();
        assert_eq!(
            october
                .next()
                .begins()
                .duration_since(october.begins())
                .as_hours(),
            31 * 24 + 1
        );
        assert_eq!(october.last_day(), Date::constant(2026, 10, 31));
    }

    #[test]
    fn what_is_no_month_is_refused() {
        for wrong in [
            "",
            "2026",
            "2026-1",
            "2026-00",
            "2026-13",
            "26-11",
            "2026-11-01",
            "+026-11",
            "1999-12",
            "2026/11",
        ] {
            assert_eq!(wrong.parse::<Month>(), Err(NOT_A_MONTH), "{wrong}");
        }
        assert_eq!("2026-11".parse::<Month>().unwrap().to_string(), "2026-11");
    }
}
