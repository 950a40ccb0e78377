//! When a delivery that failed is tried again (contract, "Deliveries").

use jiff::{SignedDuration, Timestamp};

use crate::referral::{Delivery, Outcome};
use crate::sending::{Kind, SendError};

/// The first pause. It doubles with each try.
const FIRST: SignedDuration = SignedDuration::from_secs(30);

/// The longest pause: a server that comes back in the morning is found before the afternoon.
const LONGEST: SignedDuration = SignedDuration::from_hours(6);

/// How long a delivery is tried: over a weekend.
const PERIOD: SignedDuration = SignedDuration::from_hours(72);

/// The share of a pause, in percent, by which it is prolonged at most, and the longest shortened, so that deliveries that
/// failed together do not come back together.
const JITTER: u32 = 20;

/// Returns what follows from a try that failed. `chance` is any number.
pub fn outcome(error: SendError, delivery: &Delivery, now: Timestamp, chance: u32) -> Outcome {
    let SendError { kind, reason } = error;
    match next_try(delivery, now, chance).filter(|_| kind == Kind::Transient) {
        Some(at) => Outcome::Retry { at, reason },
        None => Outcome::Failed { reason },
    }
}

/// Returns when a delivery is tried again after a try that ended now; `None` once it was tried long enough.
fn next_try(delivery: &Delivery, now: Timestamp, chance: u32) -> Option<Timestamp> {
    let end = delivery.since.saturating_add(PERIOD).unwrap_or(now);
    if now >= end {
        return None;
    }
    let next = now
        .saturating_add(pause(delivery.attempts, chance))
        .unwrap_or(end);
    // The last try is at the very end.
    Some(next.min(end))
}

/// Returns the pause after a try that so many failed ones have gone before.
fn pause(attempts: u16, chance: u32) -> SignedDuration {
    // Long past the longest pause, and far from overflowing.
    let doubled = FIRST.saturating_mul(1 << attempts.min(20)).min(LONGEST);
    let share = i32::try_from(chance % (JITTER + 1)).unwrap_or_default();
    let percent = if doubled < LONGEST {
        100 + share
    } else {
        100 - share
    };
    (doubled.saturating_mul(percent) / 100).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referral::Message;

    /// The chance that leaves a pause as it is.
    const EVEN: u32 = 0;

    fn delivery(attempts: u16) -> Delivery {
        Delivery {
            attempts,
            ..Delivery::new(Message::OperatorNew, Timestamp::UNIX_EPOCH)
        }
    }

    #[test]
    fn pauses_grow_from_half_a_minute_to_six_hours() {
        for (attempts, seconds) in [
            (0, 30),
            (1, 60),
            (2, 120),
            (5, 960),
            (9, 15_360),
            (10, 21_600),
            (11, 21_600),
            (u16::MAX, 21_600),
        ] {
            assert_eq!(pause(attempts, EVEN).as_secs(), seconds, "{attempts}");
            let all: Vec<i64> = (0..1000)
                .map(|chance| pause(attempts, chance).as_secs())
                .collect();
            let (shortest, longest) = if seconds < 21_600 {
                (seconds, (seconds * 6 / 5).min(21_600))
            } else {
                (seconds * 4 / 5, seconds)
            };
            assert_eq!(*all.iter().min().unwrap(), shortest, "{attempts}");
            assert_eq!(*all.iter().max().unwrap(), longest, "{attempts}");
        }
        assert!(pause(0, u32::MAX) <= SignedDuration::from_secs(36));
    }

    #[test]
    fn a_delivery_is_tried_for_three_days() {
        let mut delivery = delivery(0);
        let mut now = delivery.since;
        let mut tries = 1;
        while let Some(next) = next_try(&delivery, now, EVEN) {
            assert!(next > now);
            now = next;
            delivery.attempts += 1;
            tries += 1;
        }
        assert_eq!(now, delivery.since + PERIOD);
        // Ten on the first day, then four a day.
        assert_eq!(tries, 22);
    }

    #[test]
    fn what_is_refused_for_good_fails_at_once() {
        let now = Timestamp::UNIX_EPOCH;
        let reason = "no".to_owned();
        assert_eq!(
            outcome(SendError::permanent("no"), &delivery(0), now, EVEN),
            Outcome::Failed {
                reason: reason.clone()
            }
        );
        let at = now + FIRST;
        assert_eq!(
            outcome(SendError::transient("no"), &delivery(0), now, EVEN),
            Outcome::Retry {
                at,
                reason: reason.clone()
            }
        );
        assert_eq!(
            outcome(SendError::transient("no"), &delivery(9), now + PERIOD, EVEN),
            Outcome::Failed { reason }
        );
    }
}
