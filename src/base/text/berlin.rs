//! Dates and times in the time zone of Hamburg.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{self, TimeZone};

/// The time zone of Hamburg.
pub fn zone() -> TimeZone {
    tz::get!("Europe/Berlin")
}

/// The date in Hamburg at a time.
pub fn day(time: Timestamp) -> Date {
    time.to_zoned(zone()).date()
}

/// Formats a time in the time zone of Hamburg, such as `2026-11-01T00:00:00+01:00`, with the millisecond precision of the store.
pub fn in_berlin(time: Timestamp) -> String {
    let whole = Timestamp::from_millisecond(time.as_millisecond()).unwrap_or(time);
    let zoned = whole.to_zoned(zone());
    zoned.strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_day_is_that_of_hamburg() {
        for (time, expected) in [
            ("2026-11-02T22:59:59Z", date(2026, 11, 2)),
            ("2026-11-02T23:00:00Z", date(2026, 11, 3)),
            ("2026-07-02T22:00:00Z", date(2026, 7, 3)),
        ] {
            assert_eq!(day(time.parse().unwrap()), expected);
        }
    }
}
