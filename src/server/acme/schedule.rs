//! When to renew a certificate, and when to retry after a failure. Pure functions of the given time and jitter.

use std::ops::Range;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// The share of its lifetime after which a certificate is renewed, in percent: CAs recommend two thirds. A 90-day certificate then
/// has a month left, in which every attempt would have to fail before visitors notice.
const RENEW_AT: u32 = 66;

/// How much earlier a renewal may happen, in percent of the lifetime, so that sites that started together do not renew together: up
/// to four days of 90.
const JITTER: u32 = 5;

/// The longest `Retry-After` that is honoured. The longest rate limits of CAs last a week.
const LONGEST_HOLD: SignedDuration = SignedDuration::from_hours(8 * 24);

/// The pause after the first failure, and before the first retry after a restart.
pub const FIRST_PAUSE: Duration = Duration::from_mins(1);

/// The factor by which each pause grows.
const GROWTH: u32 = 3;

/// The longest pause as a multiple of the first: six hours. That allows five attempts in the first hour, the limit of Let's Encrypt
/// for one name, and four a day in the long run.
const LONGEST: u32 = 6 * 60;

/// The pause after this many failures in a row.
fn pause(first: Duration, failures: u32) -> Duration {
    let grown = GROWTH.saturating_pow(failures.saturating_sub(1));
    first.saturating_mul(grown.min(LONGEST))
}

/// The failures so far, kept across restarts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Failures {
    /// The number of failures since the last success.
    pub count: u32,
    /// The time of the last one.
    pub last: Option<Timestamp>,
    /// The time before which the CA wants no requests.
    pub hold_until: Option<Timestamp>,
}

impl Failures {
    /// Parses the stored failures; none if they are damaged.
    pub fn parse(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// The failures as seen by a process that has just started. The operator may have fixed the cause, so it waits no longer than
    /// after a first failure, which keeps a crash loop from hammering the CA.
    #[must_use]
    pub fn after_start(self) -> Self {
        let count = self.count.min(1);
        Self { count, ..self }
    }

    /// The earliest time for the next attempt; `None` for now.
    pub fn next_try(&self, first_pause: Duration, now: Timestamp) -> Option<Timestamp> {
        // Times in the future come from a wrong clock.
        let last = self.last.filter(|_| self.count > 0).map(|last| last.min(now));
        let next = last.and_then(|last| last.checked_add(pause(first_pause, self.count)).ok());
        let longest = now.checked_add(LONGEST_HOLD).unwrap_or(now);
        next.max(self.hold_until.map(|hold| hold.min(longest)))
    }
}

/// When a certificate with this validity is renewed. `chance` is any number that is stable for the certificate.
pub fn renewal(validity: &Range<Timestamp>, chance: u32) -> Timestamp {
    // In steps of 0.01 %, so that even certificates that live for seconds get jitter.
    let early = chance % (100 * JITTER + 1);
    later(validity.start, validity, 100 * RENEW_AT - early)
}

/// The earliest renewal of a certificate ordered at this time: after a third of its lifetime. If our clock or the CA's is wrong, a
/// new certificate may look old and would be ordered over and over.
pub fn earliest_renewal(validity: &Range<Timestamp>, ordered: Timestamp) -> Timestamp {
    later(ordered, validity, 3333)
}

/// Adds a share of the certificate's lifetime, in units of 0.01 %, to a time.
fn later(from: Timestamp, validity: &Range<Timestamp>, part: u32) -> Timestamp {
    let lifetime = validity.start.duration_until(validity.end);
    let millis = lifetime.as_millis() * i128::from(part) / 10_000;
    let time = SignedDuration::from_millis(i64::try_from(millis).unwrap_or_default());
    from.saturating_add(time).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use jiff::Unit;

    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn validity(from: &str, seconds: i64) -> Range<Timestamp> {
        let from = time(from);
        from..from + SignedDuration::from_secs(seconds)
    }

    const DAY: i64 = 24 * 60 * 60;

    #[test]
    fn failures_are_read_again_and_damage_does_no_harm() {
        let now = Some(time("2026-01-01T00:00:00Z"));
        let failures = Failures {
            count: 1,
            last: now,
            hold_until: now,
        };
        let bytes = serde_json::to_vec(&failures).unwrap();
        assert_eq!(Failures::parse(&bytes), failures);
        for damaged in [&b""[..], b"{", b"[]", b"{}"] {
            assert_eq!(Failures::parse(damaged), Failures::default());
        }
    }

    #[test]
    fn a_certificate_is_renewed_when_two_thirds_of_its_life_are_over_or_a_little_earlier() {
        for (seconds, latest, earliest) in [
            // Let's Encrypt: today's lifetime, the planned one, and its short-lived certificates.
            (90 * DAY, "2026-03-01T09:36:00Z", "2026-02-24T21:36:00Z"),
            (45 * DAY, "2026-01-30T16:48:00Z", "2026-01-28T10:48:00Z"),
            (6 * DAY, "2026-01-04T23:02:24Z", "2026-01-04T15:50:24Z"),
            // A test CA.
            (30, "2026-01-01T00:00:19.8Z", "2026-01-01T00:00:18.3Z"),
        ] {
            let validity = validity("2026-01-01T00:00:00Z", seconds);
            assert_eq!(renewal(&validity, 0), time(latest), "{seconds}");
            assert_eq!(renewal(&validity, 500), time(earliest), "{seconds}");
            assert_eq!(renewal(&validity, 501), time(latest), "{seconds}");
            for chance in [1, 77, 499, u32::MAX] {
                let at = renewal(&validity, chance);
                assert!(time(earliest) <= at && at <= time(latest), "{seconds} {chance}");
            }
        }
    }

    #[test]
    fn a_certificate_that_looks_old_when_it_comes_is_not_ordered_without_end() {
        let old = validity("2026-01-01T00:00:00Z", 90 * DAY);
        let ordered = time("2026-04-20T00:00:00Z");
        let earliest = earliest_renewal(&old, ordered);
        assert_eq!(earliest.round(Unit::Hour).unwrap(), time("2026-05-20T00:00:00Z"));
        let fresh = time("2026-01-01T01:00:00Z");
        assert!(earliest_renewal(&old, fresh) < renewal(&old, u32::MAX));
    }

    #[test]
    fn pauses_grow_from_a_minute_to_six_hours() {
        for (failures, minutes) in [
            (1, 1),
            (2, 3),
            (3, 9),
            (4, 27),
            (5, 81),
            (6, 243),
            (7, 360),
            (8, 360),
            (u32::MAX, 360),
        ] {
            assert_eq!(
                pause(FIRST_PAUSE, failures),
                Duration::from_mins(minutes),
                "{failures}"
            );
        }
    }

    #[test]
    fn a_restart_tries_again_after_a_minute_and_waits_where_the_directory_asks_for_it() {
        let now = time("2026-01-01T12:00:00Z");
        assert_eq!(Failures::default().next_try(FIRST_PAUSE, now), None);

        let failures = Failures {
            count: 4,
            last: Some(now),
            hold_until: None,
        };
        assert_eq!(
            failures.next_try(FIRST_PAUSE, now),
            Some(time("2026-01-01T12:27:00Z"))
        );
        let soon = Some(time("2026-01-01T12:01:00Z"));
        assert_eq!(failures.after_start().next_try(FIRST_PAUSE, now), soon);

        let hold_until = Some(time("2026-01-02T12:00:00Z"));
        let held = Failures {
            hold_until,
            ..failures
        };
        assert_eq!(held.next_try(FIRST_PAUSE, now), hold_until);
        assert_eq!(held.after_start().next_try(FIRST_PAUSE, now), hold_until);
    }

    #[test]
    fn times_of_a_wrong_clock_hold_nothing_up_for_ever() {
        let now = time("2026-01-01T12:00:00Z");
        let future = Some(time("2036-01-01T12:00:00Z"));
        let failures = Failures {
            count: 1,
            last: future,
            hold_until: None,
        };
        let soon = Some(time("2026-01-01T12:01:00Z"));
        assert_eq!(failures.next_try(FIRST_PAUSE, now), soon);
        let held = Failures {
            hold_until: future,
            ..failures
        };
        let longest = Some(time("2026-01-09T12:00:00Z"));
        assert_eq!(held.next_try(FIRST_PAUSE, now), longest);
    }
}
