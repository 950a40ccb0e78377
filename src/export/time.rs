//! The times of the command line: a date means midnight in Berlin.

use jiff::civil::Date;
use jiff::{Timestamp, tz};

use crate::inquiry::parse_rfc3339;

/// Parses a date such as `2026-11-01`, which means its first moment in Hamburg, or an RFC 3339 time.
///
/// # Errors
/// The text that tells the user what is expected.
pub fn parse_bound(text: &str) -> Result<Timestamp, String> {
    date(text).or_else(|| parse_rfc3339(text)).ok_or_else(|| {
        "expected a date such as 2026-11-01 or a time such as 2026-11-01T08:30:00+01:00".to_owned()
    })
}

/// Formats a time as a clock in Hamburg shows it, such as `2026-11-01T00:00:00+01:00`.
pub fn in_berlin(time: Timestamp) -> String {
    let zoned = time.to_zoned(tz::get!("Europe/Berlin"));
    zoned.strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
}

fn date(text: &str) -> Option<Timestamp> {
    // jiff also accepts other spellings, such as 20261101.
    let plain = text.len() == "2026-11-01".len() && text.bytes().all(|b| b == b'-' || b.is_ascii_digit());
    let date: Date = plain.then(|| text.parse().ok())??;
    date.to_zoned(tz::get!("Europe/Berlin"))
        .ok()
        .map(|midnight| midnight.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_midnight_in_berlin() {
        let cases = [
            ("2026-11-01", "2026-10-31T23:00:00Z"),
            ("2026-07-01", "2026-06-30T22:00:00Z"),
            ("2026-03-29", "2026-03-28T23:00:00Z"),
            ("2026-03-30", "2026-03-29T22:00:00Z"),
            ("2026-10-25", "2026-10-24T22:00:00Z"),
            ("2026-11-01T08:30:00+01:00", "2026-11-01T07:30:00Z"),
            ("2026-11-01T08:30:00.25Z", "2026-11-01T08:30:00.25Z"),
        ];
        for (text, expected) in cases {
            let time = parse_bound(text).unwrap();
            assert_eq!(time.to_string(), expected, "{text}");
            assert_eq!(parse_bound(&in_berlin(time)), Ok(time), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in [
            "",
            "today",
            "1.11.2026",
            "20261101",
            "2026-11",
            "2026-11-31",
            "2026-11-01T08:30:00",
            "2026-11-01 ",
        ] {
            assert!(parse_bound(wrong).is_err(), "{wrong:?}");
        }
    }
}
