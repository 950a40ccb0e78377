//! Retry schedule of failed deliveries.

use jiff::{SignedDuration, Timestamp};

use crate::domain::referral::{Failure, Round};
use crate::outbox::sending::{SendError, SendErrorKind};

/// The first pause; each failed attempt doubles it.
const FIRST: SignedDuration = SignedDuration::from_secs(30);

/// The longest pause: if a server is back in the morning, its mail arrives before the afternoon.
const LONGEST: SignedDuration = SignedDuration::from_hours(6);

/// How long a round of attempts lasts: long enough to cover a weekend.
const PERIOD: SignedDuration = SignedDuration::from_hours(72);

/// Maximum jitter of a pause in percent, so that deliveries that failed together are not retried together. Jitter lengthens a
/// pause, except the longest, which it shortens.
const JITTER: u32 = 20;

/// The failure to record for an attempt, with the time of the next attempt within the period.
pub fn failure(error: SendError, round: Round, now: Timestamp) -> Failure {
    // Without randomness, pauses merely have no jitter.
    let chance = getrandom::u32().unwrap_or_default();
    failure_by(error, next_try(round, now, chance))
}

/// The failure to record for an attempt. `next` is the time of the next attempt, which a permanent error rules out.
pub fn failure_by(error: SendError, next: Option<Timestamp>) -> Failure {
    Failure {
        retry_at: next.filter(|_| error.kind == SendErrorKind::Transient),
        reason: error.reason,
        certainty: error.certainty,
        refused: None,
    }
}

/// When to retry after an attempt that ended at `now`; `None` once the period is over.
fn next_try(round: Round, now: Timestamp, chance: u32) -> Option<Timestamp> {
    let end = round.since.saturating_add(PERIOD).unwrap_or(now);
    if now >= end {
        return None;
    }
    let next = now.saturating_add(pause(round.attempts, chance)).unwrap_or(end);
    // The last attempt happens exactly at the end.
    Some(next.min(end))
}

/// The pause after an attempt that was preceded by `attempts` others.
fn pause(attempts: u16, chance: u32) -> SignedDuration {
    // The cap exceeds the longest pause and is far from overflowing.
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
    use crate::domain::referral::{Delivery, DeliveryCertainty, DeliveryState, Message};

    /// The random value that leaves a pause unchanged.
    const EVEN: u32 = 0;

    fn failure(error: SendError, delivery: &Delivery, now: Timestamp) -> Failure {
        failure_by(error, next_try(delivery, now))
    }

    fn next_try(delivery: &Delivery, now: Timestamp) -> Option<Timestamp> {
        super::next_try(delivery.round_at(now), now, EVEN)
    }

    fn delivery(attempts: u16) -> Delivery {
        Delivery {
            attempts,
            ..Delivery::new(Message::VisitorReceived, Timestamp::UNIX_EPOCH)
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

    /// Fails every attempt until the delivery is given up; returns the number of attempts and the time of the last one.
    fn fail_all(delivery: &mut Delivery, mut now: Timestamp) -> (u32, Timestamp) {
        let mut tries = 0;
        loop {
            let failure = failure(SendError::transient("no"), delivery, now);
            tries += 1;
            let next = failure.retry_at;
            assert!(delivery.settle(&Err(failure), now, false));
            let Some(at) = next else { return (tries, now) };
            assert!(at > now);
            now = at;
        }
    }

    #[test]
    fn a_delivery_is_tried_for_three_days() {
        let mut delivery = delivery(0);
        let begin = delivery.since;
        // Ten on the first day, then four a day.
        assert_eq!(fail_all(&mut delivery, begin), (22, begin + PERIOD));
        assert_eq!((delivery.attempts, delivery.round), (22, None));
    }

    #[test]
    fn an_operators_retry_begins_anew_with_the_same_time_of_origin() {
        let mut delivery = delivery(0);
        let begin = delivery.since;
        let (_, ended) = fail_all(&mut delivery, begin);
        let retried = ended + PERIOD;
        assert!(delivery.retry(retried));
        assert_eq!(next_try(&delivery, retried), Some(retried + FIRST));
        assert_eq!(fail_all(&mut delivery, retried), (22, retried + PERIOD));
        assert_eq!((delivery.since, delivery.attempts), (begin, 44));
    }

    #[test]
    fn time_in_which_nothing_could_be_tried_does_not_count() {
        let mut delivery = delivery(0);
        let begin = delivery.since;
        let back = begin + SignedDuration::from_hours(100);
        assert_eq!(fail_all(&mut delivery, back), (22, back + PERIOD));
        // Attempts of earlier rounds make no difference.
        let mut delivery = Delivery {
            state: DeliveryState::Waiting(begin + FIRST),
            ..self::delivery(3)
        };
        assert_eq!(next_try(&delivery, back), Some(back + FIRST));
        assert_eq!(fail_all(&mut delivery, back), (22, back + PERIOD));
        // An attempt that runs late does not extend the period.
        let late = Delivery {
            state: DeliveryState::Waiting(begin + PERIOD),
            ..self::delivery(20)
        };
        assert_eq!(next_try(&late, begin + PERIOD + LONGEST), None);
    }

    #[test]
    fn what_is_refused_for_good_fails_at_once() {
        let now = Timestamp::UNIX_EPOCH;
        let failed = |certainty, retry_at| Failure {
            reason: "no".to_owned(),
            certainty,
            retry_at,
            refused: None,
        };
        assert_eq!(
            failure(SendError::permanent("no"), &delivery(0), now),
            failed(DeliveryCertainty::NotTaken, None)
        );
        assert_eq!(
            failure(SendError::transient("no"), &delivery(0), now),
            failed(DeliveryCertainty::NotTaken, Some(now + FIRST))
        );
        let last = Delivery {
            state: DeliveryState::Waiting(now + PERIOD),
            ..delivery(9)
        };
        assert_eq!(
            failure(SendError::transient("no").perhaps_taken(), &last, now + PERIOD),
            failed(DeliveryCertainty::MayBeTaken, None)
        );
    }
}
