//! What a visitor says of a firm.

use serde_json::{Value, json};

use super::extended;
use crate::domain::inquiry::{reference, rfc3339_millis};
use crate::domain::referral::{FoundReview, Review, ReviewState};

/// Shows a review beside the firm that it is about.
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

/// Shows a review in the list of all.
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
