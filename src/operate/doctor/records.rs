//! Checks of the store: deliveries, firms, backups, the clock and reviews.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::Finding;
use crate::base::text::berlin::in_berlin;
use crate::base::text::counted;
use crate::base::text::mail_address::one_line;
use crate::domain::matching::Firm;
use crate::domain::referral::{FoundReview, InquiryRecord};
use crate::operate::{CallError, Operations};
use crate::store::{Facts, TimeRange};

/// The maximum age of the last backup: a week, since backups are made daily or weekly.
const BACKUP: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How long a review may wait before a warning: a week, for operators who look once a week.
const WAITING: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The facts that only the store knows.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoreState {
    facts: Facts,
    /// The number of mails and webhooks that were given up.
    failed: u64,
    /// Why the last one was given up.
    reason: Option<String>,
    reviews: Vec<FoundReview>,
}

impl Operations {
    /// Reads the state that [`check_store`] judges.
    pub async fn store_state(&self) -> Result<StoreState, CallError> {
        let add = |(failed, reason): &mut (u64, Option<_>), record: InquiryRecord| {
            for delivery in record.referral.deliveries {
                if delivery.state.is_failed() {
                    *failed += 1;
                    *reason = delivery.reason.or(reason.take());
                }
            }
        };
        let counting = self.store.fold(TimeRange::default(), (0, None), add);
        let (failed, reason) = counting.await?;
        Ok(StoreState {
            facts: self.store.facts().await?,
            failed,
            reason,
            reviews: self.store.reviews().await?,
        })
    }
}

/// Judges the state of the store: deliveries, firms, backups, the clock and reviews.
pub fn check_store(state: Result<StoreState, CallError>, firms: &[Firm]) -> Vec<Finding> {
    match state {
        Ok(state) => {
            let (facts, now) = (&state.facts, Timestamp::now());
            let deliveries = deliveries(state.failed, state.reason, facts);
            let mut findings = vec![deliveries, backup(facts, now)];
            findings.extend(leap(facts));
            findings.extend(unreachable(facts, firms));
            findings.extend(reviews(&state.reviews, now));
            findings
        }
        Err(error) => {
            let reason = one_line(&error.to_string());
            let advice = "start the server once, or run this as its user and with its --data-dir or --store";
            ["deliveries", "backup"]
                .map(|check| Finding::error(check, &*reason, advice))
                .into()
        }
    }
}

fn deliveries(failed: u64, reason: Option<String>, facts: &Facts) -> Finding {
    const CHECK: &str = "deliveries";
    if failed > 0 {
        let last = reason.map_or_else(String::new, |reason| format!("; the last: {reason}"));
        return Finding::warning(
            CHECK,
            format!("{failed} mails or webhooks were given up{last}"),
            "see `taubenabwehr deliveries --failed`; once the cause is gone, `taubenabwehr deliveries retry`",
        );
    }
    if let Some(restored_at) = facts.held_since {
        return Finding::warning(
            CHECK,
            format!(
                "what waited when the store was restored at {} is held",
                in_berlin(restored_at)
            ),
            "see `taubenabwehr deliveries`, then let it go by `taubenabwehr deliveries retry`",
        );
    }
    Finding::ok(CHECK, "none has failed")
}

fn backup(facts: &Facts, now: Timestamp) -> Finding {
    const CHECK: &str = "backup";
    const ADVICE: &str =
        "run `taubenabwehr backup --output FILE` by a timer, and keep copies on another machine";
    match facts.backed_up_at {
        None => Finding::warning(CHECK, "none was ever made", ADVICE),
        Some(at) if now.duration_since(at) > BACKUP => Finding::warning(
            CHECK,
            format!(
                "the last backup dates from {}, more than 7 days ago",
                in_berlin(at)
            ),
            ADVICE,
        ),
        Some(at) => Finding::ok(CHECK, format!("the last backup dates from {}", in_berlin(at))),
    }
}

/// A warning for each firm whose mail server rejects its address.
fn unreachable(facts: &Facts, firms: &[Firm]) -> impl Iterator<Item = Finding> {
    firms.iter().filter_map(|firm| {
        let since = facts.unreachable_since(firm)?;
        let id = &firm.id;
        Some(Finding::warning(
            "firm_mail",
            format!(
                "firm {id} is unreachable since {}: its mail server refuses {}",
                in_berlin(since),
                firm.email
            ),
            format!("correct `email` of its [[firm]]; if the address is right, run `taubenabwehr firms resume {id}`"),
        ))
    })
}

/// A warning if nothing is erased by age because the clock may be ahead.
fn leap(facts: &Facts) -> Option<Finding> {
    let (known, from) = facts.clock.known.zip(facts.clock.believed_from())?;
    facts.clock.may_be_ahead().then(|| {
        Finding::warning(
            "retention",
            format!(
                "the clock has leapt beyond {}: nothing is erased by its age until {}",
                in_berlin(known),
                in_berlin(from)
            ),
            "set the clock, or, if it is right, say so by `taubenabwehr doctor --clock-is-right`",
        )
    })
}

/// A warning if publishable reviews have waited too long.
fn reviews(found: &[FoundReview], now: Timestamp) -> Option<Finding> {
    let waiting = found.iter().map(|found| &found.review).filter(|review| {
        review.is_waiting() && review.has_consent && now.duration_since(review.at) > WAITING
    });
    let message = match waiting.count() {
        0 => return None,
        count => counted(count, "review has", "reviews have") + " waited for more than 7 days",
    };
    Some(Finding::warning(
        "reviews",
        message,
        "see `taubenabwehr reviews --waiting`; publish each, or reject it",
    ))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::Level;
    use super::*;
    use crate::domain::inquiry::PostalCode;
    use crate::domain::matching::FirmId;
    use crate::domain::referral::{Review, ReviewId, ReviewState, Stars};

    #[test]
    fn a_backup_that_is_older_than_a_week_is_a_warning() {
        let now = Timestamp::UNIX_EPOCH;
        let level = |hours: Option<i64>| {
            let facts = Facts {
                backed_up_at: hours.map(|hours| now - SignedDuration::from_hours(hours)),
                ..Facts::default()
            };
            backup(&facts, now).level
        };
        assert_eq!(level(None), Level::Warning);
        assert_eq!(level(Some(7 * 24)), Level::Ok);
        assert_eq!(level(Some(7 * 24 + 1)), Level::Warning);
    }

    #[test]
    fn reviews_that_have_waited_for_more_than_a_week_are_a_warning() {
        let now = Timestamp::UNIX_EPOCH;
        let review = |hours: i64, state: ReviewState, has_consent: bool| FoundReview {
            id: ReviewId {
                inquiry: Uuid::nil(),
                firm: FirmId::parse("nord").unwrap(),
            },
            firm_name: "Nord".to_owned(),
            postal_code: PostalCode::parse("20095").unwrap(),
            review: Review {
                stars: Stars::Four,
                text: String::new(),
                name: "Anna M.".to_owned(),
                has_consent,
                at: now - SignedDuration::from_hours(hours),
                state,
            },
        };
        let old = 7 * 24 + 1;
        let mut found = vec![
            review(7 * 24, ReviewState::Waiting, true),
            review(old, ReviewState::Waiting, false),
            review(old, ReviewState::Published(now), true),
            review(old, ReviewState::Rejected(now), true),
        ];
        assert_eq!(reviews(&found, now), None);
        found.push(review(old, ReviewState::Waiting, true));
        let finding = reviews(&found, now).unwrap();
        assert_eq!(finding.level, Level::Warning);
        assert!(finding.message.starts_with("1 review has waited"), "{finding:?}");
        found.push(review(old, ReviewState::Waiting, true));
        let finding = reviews(&found, now).unwrap();
        assert!(
            finding.message.starts_with("2 reviews have waited"),
            "{finding:?}"
        );
    }
}
