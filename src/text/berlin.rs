//! Times as a clock in Hamburg shows them.

use jiff::{Timestamp, tz};

/// Formats a time as a clock in Hamburg shows it, such as `2026-11-01T00:00:00+01:00`, to the millisecond, as times are stored.
pub fn in_berlin(time: Timestamp) -> String {
    let whole = Timestamp::from_millisecond(time.as_millisecond()).unwrap_or(time);
    let zoned = whole.to_zoned(tz::get!("Europe/Berlin"));
    zoned.strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
}
