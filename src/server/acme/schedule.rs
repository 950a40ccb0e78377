//! When a certificate is renewed, and when to try again after a failure. Pure: time and jitter are given.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::stored::Validity;

/// The share of its life after which a certificate is renewed, in percent: directories advise two thirds. A certificate of
/// 90 days then has a month left, in which all attempts would have to fail before a visitor notices.
const RENEW_AT: i32 = 66;

/// The share of its life by which it is renewed earlier at most, in percent, so that sites that
/// started together do not renew together: up to four days of 90.
const JITTER: u32 = 5;

/// The longest wait that a directory can ask for. The longest limits of directories last a week.
const LONGEST_HOLD: SignedDuration = SignedDuration::from_hours(8 * 24);

/// The pauses after failures.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    /// The first. It is also how soon a restart tries again what has just failed.
    pub first: Duration,
    /// The longest.
    pub longest: Duration,
}

impl Default for Backoff {
    /// A minute, then three times as long each time, up to six hours: five attempts in the first hour, which is what Let's
    /// Encrypt allows for one name, and four a day in the long run.
    fn default() -> Self {
        Self {
            first: Duration::from_mins(1),
            longest: Duration::from_hours(6),
        }
    }
}

/// How many times longer each pause is than the one before.
const GROWTH: u32 = 3;

impl Backoff {
    /// Returns the pause after so many failures in a row. `chance` is any number.
    pub fn pause(&self, failures: u32, chance: u32) -> Duration {
        let grown = (1..failures).try_fold(self.first, |pause, _| pause.checked_mul(GROWTH));
        let pause = grown.unwrap_or(self.longest).min(self.longest);
        // Up to a tenth less, so that the first pause stays near a minute and the longest is never exceeded.
        pause.saturating_sub(pause.mul_f64(0.1 * f64::from(chance % 100) / 100.0))
    }
}

/// What is remembered of failures, across restarts.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Failures {
    /// How many there were since the last success.
    pub count: u32,
    /// When the last one was.
    pub last: Option<Timestamp>,
    /// Until when the directory wants no requests.
    pub hold_until: Option<Timestamp>,
}

impl Failures {
    /// Reads what was kept; none if it is damaged.
    pub fn parse(bytes: Option<&[u8]>) -> Self {
        let parsed = bytes.map(serde_json::from_slice);
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    /// Adds one.
    pub fn add(&mut self, now: Timestamp, hold_until: Option<Timestamp>) {
        self.count = self.count.saturating_add(1);
        self.last = Some(now);
        self.hold_until = hold_until;
    }

    /// Returns the earliest time for the next attempt in a running process; `None`: now.
    pub fn next_try(&self, backoff: Backoff, now: Timestamp, chance: u32) -> Option<Timestamp> {
        self.after(backoff.pause(self.count, chance), now)
    }

    /// Returns the same for a process that has just started. The operator may have fixed the cause, so it waits no
    /// longer than after a first failure, which is enough that a process that keeps restarting does no harm.
    pub fn next_try_after_start(&self, backoff: Backoff, now: Timestamp) -> Option<Timestamp> {
        self.after(backoff.pause(self.count.min(1), 0), now)
    }

    fn after(&self, pause: Duration, now: Timestamp) -> Option<Timestamp> {
        // Times in the future come from a clock that was wrong.
        let last = self.last.filter(|_| self.count > 0).map(|last| last.min(now));
        let next = last.and_then(|last| last.checked_add(pause).ok());
        let longest = now.checked_add(LONGEST_HOLD).unwrap_or(now);
        next.max(self.hold_until.map(|hold| hold.min(longest)))
    }
}

/// Returns when a certificate is renewed. `chance` is any number.
pub fn renewal(validity: &Validity, chance: u32) -> Timestamp {
    let lifetime = validity.not_before.duration_until(validity.not_after);
    // In parts of 10,000, so that certificates that live for seconds have jitter, too.
    let early = i32::try_from(chance % (100 * JITTER + 1)).unwrap_or_default();
    let age = (lifetime.as_millis() * i128::from(100 * RENEW_AT - early)) / 10_000;
    let age = SignedDuration::from_millis(i64::try_from(age).unwrap_or_default());
    validity
        .not_before
        .saturating_add(age)
        .unwrap_or(validity.not_before)
}

/// Returns when a certificate that was ordered at a time is renewed. A third of its life must have gone by: where the clock
/// is wrong, or the directory's, a new certificate may look old, and would be ordered again and again.
pub fn renewal_of_new(validity: &Validity, ordered: Timestamp, chance: u32) -> Timestamp {
    let lifetime = validity.not_before.duration_until(validity.not_after);
    let earliest = ordered.saturating_add(lifetime / 3).unwrap_or(ordered);
    renewal(validity, chance).max(earliest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn validity(from: &str, seconds: i64) -> Validity {
        let not_before = time(from);
        Validity {
            names: vec![],
            not_before,
            not_after: not_before + SignedDuration::from_secs(seconds),
        }
    }

    const DAY: i64 = 24 * 60 * 60;

    #[test]
    fn failures_are_read_again_and_damage_does_no_harm() {
        let mut failures = Failures::default();
        let now = time("2026-01-01T00:00:00Z");
        failures.add(now, Some(now));
        let bytes = serde_json::to_vec(&failures).unwrap();
        assert_eq!(Failures::parse(Some(&bytes)), failures);
        for damaged in [None, Some(&b"{"[..]), Some(b"[]"), Some(b"{}")] {
            assert_eq!(Failures::parse(damaged), Failures::default());
        }
    }

    #[test]
    fn a_certificate_is_renewed_when_two_thirds_of_its_life_are_over_or_a_little_earlier() {
        for (seconds, latest, earliest) in [
            // Let's Encrypt today, tomorrow, and its certificates for a week.
            (90 * DAY, "2026-03-01T09:36:00Z", "2026-02-24T21:36:00Z"),
            (45 * DAY, "2026-01-30T16:48:00Z", "2026-01-28T10:48:00Z"),
            (6 * DAY, "2026-01-04T23:02:24Z", "2026-01-04T15:50:24Z"),
            // A directory for tests.
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
        assert_eq!(renewal_of_new(&old, ordered, 0), time("2026-05-20T00:00:00Z"));
        let fresh = time("2026-01-01T01:00:00Z");
        assert_eq!(renewal_of_new(&old, fresh, 0), renewal(&old, 0));
    }

    #[test]
    fn pauses_grow_from_a_minute_to_six_hours() {
        let backoff = Backoff::default();
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
            let longest = Duration::from_mins(minutes);
            assert_eq!(backoff.pause(failures, 0), longest, "{failures}");
            for chance in 0..200 {
                let pause = backoff.pause(failures, chance);
                assert!(
                    longest * 9 / 10 <= pause && pause <= longest,
                    "{failures} {chance}"
                );
            }
        }
    }

    #[test]
    fn a_restart_tries_again_after_a_minute_and_waits_where_the_directory_asks_for_it() {
        let backoff = Backoff::default();
        let now = time("2026-01-01T12:00:00Z");
        let none = Failures::default();
        assert_eq!(none.next_try(backoff, now, 0), None);
        assert_eq!(none.next_try_after_start(backoff, now), None);

        let mut failures = Failures::default();
        for _ in 0..4 {
            failures.add(now, None);
        }
        assert_eq!(
            failures.next_try(backoff, now, 0),
            Some(time("2026-01-01T12:27:00Z"))
        );
        let soon = Some(time("2026-01-01T12:01:00Z"));
        assert_eq!(failures.next_try_after_start(backoff, now), soon);

        let hold = time("2026-01-02T12:00:00Z");
        failures.add(now, Some(hold));
        assert_eq!(failures.next_try(backoff, now, 0), Some(hold));
        assert_eq!(failures.next_try_after_start(backoff, now), Some(hold));
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
        assert_eq!(failures.next_try_after_start(Backoff::default(), now), soon);
        let held = Failures {
            hold_until: future,
            ..failures
        };
        let longest = Some(time("2026-01-09T12:00:00Z"));
        assert_eq!(held.next_try(Backoff::default(), now, 0), longest);
    }
}
