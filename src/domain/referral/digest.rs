//! When the operator's digest is due, and what time it is about.

use jiff::civil::{Date, Time, Weekday};
use jiff::{Span, Timestamp};

use super::message::DigestPeriod;

use crate::base::text::berlin;

/// When it is sent, by the clocks of Hamburg: before work begins.
const MORNING: Time = Time::constant(7, 0, 0, 0);

impl DigestPeriod {
    /// Returns the last time at which a digest was due.
    pub fn last_morning(self, now: Timestamp) -> Timestamp {
        let today = berlin::day(now);
        let days = (0..=7).filter_map(|back| today.checked_sub(Span::new().days(back)).ok());
        let mut mornings = days.filter(|day| self.is_day(*day)).filter_map(morning);
        mornings.find(|morning| *morning <= now).unwrap_or(now)
    }

    /// Returns the morning from which on a digest says what happened.
    pub fn since(self, until: Timestamp) -> Timestamp {
        let days = match self {
            Self::Daily => 1,
            Self::Weekly => 7,
        };
        let since = berlin::day(until).checked_sub(Span::new().days(days));
        since.ok().and_then(morning).unwrap_or(until)
    }

    fn is_day(self, day: Date) -> bool {
        self == Self::Daily || day.weekday() == Weekday::Monday
    }
}

fn morning(day: Date) -> Option<Timestamp> {
    let morning = day.to_datetime(MORNING).to_zoned(berlin::zone());
    morning.ok().map(|morning| morning.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_due_at_seven_in_hamburg() {
        use DigestPeriod::{Daily, Weekly};
        for (period, now, morning, since) in [
            (
                Daily,
                "2026-11-24T06:00:00Z",
                "2026-11-24T06:00:00Z",
                "2026-11-23T06:00:00Z",
            ),
            (
                Daily,
                "2026-11-24T05:59:59Z",
                "2026-11-23T06:00:00Z",
                "2026-11-22T06:00:00Z",
            ),
            // A day of 25 hours, and one of 23.
            (
                Daily,
                "2026-10-25T12:00:00Z",
                "2026-10-25T06:00:00Z",
                "2026-10-24T05:00:00Z",
            ),
            (
                Daily,
                "2026-03-29T12:00:00Z",
                "2026-03-29T05:00:00Z",
                "2026-03-28T06:00:00Z",
            ),
            (
                Weekly,
                "2026-11-24T06:00:00Z",
                "2026-11-23T06:00:00Z",
                "2026-11-16T06:00:00Z",
            ),
            (
                Weekly,
                "2026-11-23T05:00:00Z",
                "2026-11-16T06:00:00Z",
                "2026-11-09T06:00:00Z",
            ),
            (
                Weekly,
                "2026-10-26T06:00:00Z",
                "2026-10-26T06:00:00Z",
                "2026-10-19T05:00:00Z",
            ),
        ] {
            let time = |text: &str| text.parse::<Timestamp>().unwrap();
            assert_eq!(period.last_morning(time(now)), time(morning), "{period:?} {now}");
            assert_eq!(period.since(time(morning)), time(since), "{period:?} {now}");
        }
    }
}
