//! A review as commands show it.

use serde::Serialize;

use super::{Time, by_id};
use crate::domain::inquiry::reference;
use crate::domain::referral::{FoundReview, Review, ReviewState};

/// What a visitor says of a firm.
#[derive(Debug, Serialize)]
pub struct ReviewView {
    /// How many stars it has, 1 to 5.
    pub stars: u8,
    /// What the visitor says; may be empty.
    pub text: String,
    /// The name to be shown.
    pub name: String,
    /// Whether the visitor agrees that it is published.
    pub consent: bool,
    /// Whether it waits, is published or rejected.
    #[serde(serialize_with = "by_id")]
    pub state: ReviewState,
    /// When it was written, or changed last.
    pub written_at: Time,
    /// When it was published.
    pub published_at: Option<Time>,
}

impl From<&Review> for ReviewView {
    fn from(review: &Review) -> Self {
        Self {
            stars: review.stars.count(),
            text: review.text.clone(),
            name: review.name.clone(),
            consent: review.has_consent,
            state: review.state,
            written_at: Time(review.at),
            published_at: match review.state {
                ReviewState::Published(at) => Some(Time(at)),
                ReviewState::Waiting | ReviewState::Rejected(_) => None,
            },
        }
    }
}

/// A review in the list of all.
#[derive(Debug, Serialize)]
pub struct ListedReview {
    /// What names it.
    pub id: String,
    /// The id of its inquiry.
    pub inquiry: String,
    /// Its reference.
    pub reference: String,
    /// The id of the firm.
    pub firm: String,
    /// The firm's name when it accepted.
    pub firm_name: String,
    /// Where the inquiry is from.
    pub postal_code: String,
    /// What it says.
    #[serde(flatten)]
    pub review: ReviewView,
}

impl From<&FoundReview> for ListedReview {
    fn from(found: &FoundReview) -> Self {
        Self {
            id: found.id.to_string(),
            inquiry: found.id.inquiry.to_string(),
            reference: reference(found.id.inquiry),
            firm: found.id.firm.to_string(),
            firm_name: found.firm_name.clone(),
            postal_code: found.postal_code.to_string(),
            review: ReviewView::from(&found.review),
        }
    }
}
