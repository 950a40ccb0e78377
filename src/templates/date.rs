//! Times as Germans write them.

use jiff::{Timestamp, tz};

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

/// Formats a time as a clock in Hamburg shows it, such as `3. März 2026, 09:05 Uhr`.
pub fn german_time(time: Timestamp) -> String {
    let zoned = time.to_zoned(tz::get!("Europe/Berlin"));
    let month = usize::try_from(zoned.month() - 1)
        .ok()
        .and_then(|index| MONTHS.get(index))
        .unwrap_or(&"");
    format!(
        "{}. {month} {}, {:02}:{:02} Uhr",
        zoned.day(),
        zoned.year(),
        zoned.hour(),
        zoned.minute()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_hamburg() {
        for (utc, expected) in [
            ("2026-03-03T08:05:59Z", "3. März 2026, 09:05 Uhr"),
            ("2026-07-31T22:30:00Z", "1. August 2026, 00:30 Uhr"),
            ("2025-12-31T23:00:00Z", "1. Januar 2026, 00:00 Uhr"),
        ] {
            assert_eq!(german_time(utc.parse().unwrap()), expected);
        }
    }
}
