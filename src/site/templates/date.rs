//! Times as Germans write them.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::base::text::berlin;

const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// Returns the name of a month.
pub fn month_name(day: Date) -> &'static str {
    let index = usize::try_from(day.month() - 1).ok();
    index.and_then(|index| MONTHS.get(index)).copied().unwrap_or("")
}

/// Formats a day, such as `3. März 2026`.
pub fn german_day(day: Date) -> String {
    format!("{}.\u{a0}{}", day.day(), german_month(day))
}

/// Formats a time in Hamburg's time zone, such as `3. März 2026, 09:05 Uhr`. No line breaks between the day and its
/// month or before `Uhr`; plain text gets ordinary spaces when it is written.
pub fn german_time(time: Timestamp) -> String {
    let zoned = time.to_zoned(berlin::zone());
    let day = german_day(zoned.date());
    format!("{day}, {:02}:{:02}\u{a0}Uhr", zoned.hour(), zoned.minute())
}

/// Formats the month of a day, such as `März 2026`.
pub fn german_month(day: Date) -> String {
    format!("{} {}", month_name(day), day.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_hamburg() {
        for (utc, expected) in [
            ("2026-03-03T08:05:59Z", "3.\u{a0}März 2026, 09:05\u{a0}Uhr"),
            ("2026-07-31T22:30:00Z", "1.\u{a0}August 2026, 00:30\u{a0}Uhr"),
            ("2025-12-31T23:00:00Z", "1.\u{a0}Januar 2026, 00:00\u{a0}Uhr"),
        ] {
            assert_eq!(german_time(utc.parse().unwrap()), expected);
        }
    }
}
