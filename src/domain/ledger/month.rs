//! Months as a calendar in Hamburg has them.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, date};
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

use crate::base::text::berlin;

/// The first year of which a month can be named: long before any inquiry.
const FIRST_YEAR: u16 = 2000;

const MONTHS: u32 = 12;

/// A month in Europe/Berlin, by the months since the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Month(u32);

/// Why a text is not a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a month such as 2026-11")]
pub struct NotAMonth;

impl Month {
    /// Returns the month of a time.
    pub fn of(time: Timestamp) -> Self {
        let day = berlin::day(time);
        Self::new(day.year().unsigned_abs(), u32::from(day.month().unsigned_abs()))
    }

    fn new(year: u16, month: u32) -> Self {
        Self(u32::from(year) * MONTHS + month - 1)
    }

    /// Returns a month by its number.
    pub fn from_number(number: u32) -> Option<Self> {
        let first = u32::from(FIRST_YEAR) * MONTHS;
        (first..10_000 * MONTHS).contains(&number).then_some(Self(number))
    }

    /// Returns its number, by which months are in order.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the next month.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the one before it.
    #[must_use]
    pub fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Returns its first day.
    pub fn first_day(self) -> Date {
        let (year, month) = (self.0 / MONTHS, self.0 % MONTHS + 1);
        let year = i16::try_from(year).unwrap_or(i16::MAX);
        Date::new(year, i8::try_from(month).unwrap_or(1), 1).unwrap_or(date(9999, 12, 1))
    }

    /// Returns its last day.
    pub fn last_day(self) -> Date {
        let next = self.first_day().checked_add(1.month());
        next.and_then(|next| next.checked_sub(1.day()))
            .unwrap_or(Date::MAX)
    }

    /// Returns when it begins.
    pub fn begins(self) -> Timestamp {
        let midnight = self.first_day().to_zoned(berlin::zone());
        midnight.map_or(Timestamp::MAX, |midnight| midnight.timestamp())
    }

    /// Whether it is over at a time.
    pub fn is_over(self, now: Timestamp) -> bool {
        now >= self.next().begins()
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0 / MONTHS, self.0 % MONTHS + 1)
    }
}

impl FromStr for Month {
    type Err = NotAMonth;

    fn from_str(text: &str) -> Result<Self, NotAMonth> {
        let (year, month) = text.split_once('-').ok_or(NotAMonth)?;
        let number = |text: &str, length| {
            let is_plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u16>().ok().filter(|_| is_plain).ok_or(NotAMonth)
        };
        let (year, month) = (number(year, 4)?, u32::from(number(month, 2)?));
        if year < FIRST_YEAR || !(1..=MONTHS).contains(&month) {
            return Err(NotAMonth);
        }
        Ok(Self::new(year, month))
    }
}

impl From<Month> for String {
    fn from(month: Month) -> Self {
        month.to_string()
    }
}

impl TryFrom<String> for Month {
    type Error = NotAMonth;

    fn try_from(text: String) -> Result<Self, NotAMonth> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_those_of_hamburg() {
        // A millisecond before midnight and midnight, in winter, in summer, and at the changes in between.
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
            assert_eq!(Month::from_number(month.number()), Some(month));
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
        assert_eq!(october.last_day(), date(2026, 10, 31));
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
            assert_eq!(wrong.parse::<Month>(), Err(NotAMonth), "{wrong}");
        }
        assert_eq!("2026-11".parse::<Month>().unwrap().to_string(), "2026-11");
    }
}
