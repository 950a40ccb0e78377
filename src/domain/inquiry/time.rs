//! Times of inquiries: strict RFC 3339 as input, whole milliseconds in UTC as output.

use std::sync::LazyLock;

use jiff::{RoundMode, SignedDuration, Timestamp, TimestampRound, Unit};
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::text::pattern;

/// The maximum age of a client's time: browsers keep an unsent inquiry for as long.
pub const CREDIBLE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// RFC 3339, section 5.6, with the fraction in its own group: jiff accepts more spellings than the standard, but fewer fractional
/// digits.
static RFC_3339: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])(\.[0-9]+)?([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
    )
});

/// The fractional digits supported by jiff; further ones are below a nanosecond.
const FRACTION_DIGITS: usize = 9;

/// Parses an RFC 3339 time strictly: the `T` and the offset are required, and leap seconds are refused.
pub fn parse_rfc3339(text: &str) -> Option<Timestamp> {
    let parts = RFC_3339.captures(text)?;
    let fraction = parts.get(2).map_or("", |fraction| fraction.as_str());
    if fraction.len() <= 1 + FRACTION_DIGITS {
        return text.parse().ok();
    }
    let (fraction, _) = fraction.split_at_checked(1 + FRACTION_DIGITS)?;
    format!("{}{fraction}{}", parts.get(1)?.as_str(), parts.get(3)?.as_str())
        .parse()
        .ok()
}

/// The time of an inquiry: the client's if it is credible, otherwise the server's.
pub fn credible(sent: Option<&str>, now: Timestamp) -> Timestamp {
    let credible = sent
        .and_then(parse_rfc3339)
        .filter(|&time| time <= now && now.duration_since(time) <= CREDIBLE);
    whole_millis(credible.unwrap_or(now))
}

/// Rounds a time down to milliseconds, the precision of stores.
pub fn whole_millis(time: Timestamp) -> Timestamp {
    // Rounding down also keeps times before 1970 in order.
    let down = TimestampRound::new().smallest(Unit::Millisecond);
    time.round(down.mode(RoundMode::Floor)).unwrap_or(time)
}

/// Formats a time in UTC with three fractional digits, such as `2026-11-01T12:00:00.000Z`.
pub fn rfc3339_millis(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A range of creation times of inquiries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeRange {
    /// The inclusive start; `None` for no lower bound.
    pub since: Option<Timestamp>,
    /// The exclusive end; `None` for no upper bound.
    pub until: Option<Timestamp>,
}

impl TimeRange {
    /// Whether a time is in the range.
    pub fn contains(&self, time: Timestamp) -> bool {
        self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn reads_rfc_3339_and_nothing_else() {
        let noon = at("2026-11-01T12:00:00Z");
        for right in [
            "2026-11-01T12:00:00Z",
            "2026-11-01t12:00:00z",
            "2026-11-01T12:00:00.0Z",
            "2026-11-01T12:00:00.000000000Z",
            "2026-11-01T12:00:00.0000000000000000000000Z",
            "2026-11-01T13:00:00+01:00",
            "2026-11-01T01:30:00-10:30",
            "2026-11-01T12:00:00-00:00",
            "2026-11-01T12:00:00.0000000009+00:00",
        ] {
            assert_eq!(parse_rfc3339(right), Some(noon), "{right:?}");
        }
        for wrong in [
            "",
            "now",
            "2026-11-01",
            "2026-11-01T12:00Z",
            "2026-11-01T12:00:00",
            "2026-11-01 12:00:00Z",
            "2026-11-01T12:00:00,5Z",
            "2026-11-01T12:00:00.Z",
            "2026-11-01T12:00:00+0100",
            "2026-11-01T12:00:00+01",
            "2026-11-01T12:00:00+24:00",
            "2026-11-01T12:00:00+01:60",
            "2026-11-01T12:00:00Z[UTC]",
            "2026-11-01T24:00:00Z",
            "2026-11-01T12:00:60Z",
            "2026-02-30T12:00:00Z",
            "2026-13-01T12:00:00Z",
            "+002026-11-01T12:00:00Z",
            "20261101T120000Z",
            " 2026-11-01T12:00:00Z",
            "2026-11-01T12:00:00Z\n",
            "\u{662}026-11-01T12:00:00Z",
            "1793534400",
        ] {
            assert_eq!(parse_rfc3339(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_credible_time_is_at_most_seven_days_old_and_not_ahead() {
        let now = at("2026-11-08T12:00:00.5Z");
        let kept = |sent| rfc3339_millis(credible(Some(sent), now));
        assert_eq!(kept("2026-11-08T12:00:00.5Z"), "2026-11-08T12:00:00.500Z");
        assert_eq!(kept("2026-11-08T12:00:00.500000001Z"), "2026-11-08T12:00:00.500Z");
        assert_eq!(kept("2026-11-08T12:00:00.4999Z"), "2026-11-08T12:00:00.499Z");
        assert_eq!(kept("2026-11-01T12:00:00.5Z"), "2026-11-01T12:00:00.500Z");
        assert_eq!(kept("2026-11-01T12:00:00.499999999Z"), "2026-11-08T12:00:00.500Z");
        assert_eq!(kept("2026-11-08T13:00:00+01:00"), "2026-11-08T12:00:00.000Z");
        assert_eq!(kept("2026-11-08T12:00:01Z"), "2026-11-08T12:00:00.500Z");
        assert_eq!(kept("yesterday"), "2026-11-08T12:00:00.500Z");
        assert_eq!(rfc3339_millis(credible(None, now)), "2026-11-08T12:00:00.500Z");
    }

    #[test]
    fn whole_milliseconds_are_rounded_down() {
        assert_eq!(
            whole_millis(at("2026-11-08T12:00:00.4999Z")),
            at("2026-11-08T12:00:00.499Z")
        );
        assert_eq!(
            whole_millis(at("1969-12-31T23:59:59.9999Z")),
            at("1969-12-31T23:59:59.999Z")
        );
    }
}
