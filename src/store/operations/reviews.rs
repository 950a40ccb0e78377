//! Reviews of firms, which are part of referrals.

use std::sync::atomic::AtomicU64;

use jiff::Timestamp;

use crate::domain::referral::FoundReview;
use crate::store::{Store, TimeRange, Unavailable, facts};

impl Store {
    /// Returns all reviews, in the order their inquiries were received. Reads every inquiry, unless no review was ever written.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn reviews(&self) -> Result<Vec<FoundReview>, Unavailable> {
        let facts = self.facts().await?;
        if facts.reviews_written_at.or(facts.reviews_changed_at).is_none() {
            return Ok(Vec::new());
        }
        self.fold(TimeRange::default(), Vec::new(), |found: &mut Vec<_>, record| {
            found.extend(FoundReview::all_of(&record));
        })
        .await
    }

    /// When reviews last changed; `None` if none was ever written. Cheap.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn reviews_changed_at(&self) -> Result<Option<Timestamp>, Unavailable> {
        self.fact(facts::REVIEWS.to_owned()).await
    }

    /// Counts the changes to reviews that this process has committed or seen. A cache of reviews is current as long as the count
    /// has not changed since it was filled.
    pub fn review_changes(&self) -> &AtomicU64 {
        &self.context.review_changes
    }
}
