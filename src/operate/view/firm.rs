//! JSON views of firms and their reviews.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::extended;
use crate::domain::inquiry::{reference, rfc3339_millis};
use crate::domain::matching::{Check, Firm, FirmId};
use crate::domain::referral::{FoundReview, Review, ReviewState};
use crate::operate::report::FirmFigures;
use crate::store::Facts;

/// The figures of each firm that is configured, paused or was asked.
pub fn firms(
    mut figures: BTreeMap<FirmId, FirmFigures>,
    facts: &Facts,
    configured: &[Firm],
) -> impl Iterator<Item = Value> {
    for firm in configured.iter().map(|firm| &firm.id).chain(facts.paused.keys()) {
        figures.entry(firm.clone()).or_default();
    }
    let now = Timestamp::now();
    figures.into_iter().map(move |(id, figures)| {
        let firm = Firm::find(configured, &id);
        let in_file = firm.is_some_and(|firm| firm.paused);
        let pause = facts.pause_of(&id, now).filter(|_| !in_file);
        let check = firm.and_then(|firm| firm.checked.as_ref());
        let unreachable_since = firm.and_then(|firm| facts.unreachable_since(firm));
        json!({
            "firm": id,
            "asked": figures.asked(),
            "accepted": figures.accepted,
            "declined": figures.declined,
            "silent": figures.silent,
            "median_hours": figures.hours.median(),
            "checked_until": check.map(Check::last_day),
            "paused": in_file || pause.is_some_and(|pause| pause.holds(now)),
            "paused_from": pause.and_then(|pause| pause.from).map(rfc3339_millis),
            "paused_until": pause.and_then(|pause| pause.until).map(rfc3339_millis),
            "unreachable_since": unreachable_since.map(rfc3339_millis),
        })
    })
}

/// A review, as part of the firm that it is about.
pub(super) fn review(review: &Review) -> Value {
    let published_at = match review.state {
        ReviewState::Published(at) => Some(at),
        ReviewState::Waiting | ReviewState::Rejected(_) => None,
    };
    json!({
        "stars": review.stars.count(),
        "text": review.text,
        "name": review.name,
        "consent": review.has_consent,
        "state": review.state.id(),
        "written_at": rfc3339_millis(review.at),
        "published_at": published_at.map(rfc3339_millis),
    })
}

/// A review in the list of all reviews.
pub fn listed_review(found: &FoundReview) -> Value {
    let named = json!({
        "id": found.id.to_string(),
        "inquiry": found.id.inquiry,
        "reference": reference(found.id.inquiry),
        "firm": found.id.firm,
        "firm_name": found.firm_name,
        "postal_code": found.postal_code.to_string(),
    });
    extended(named, review(&found.review))
}
