//! Reviews of firms, which stand in referrals.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;

use crate::domain::referral::FoundReview;
use crate::store::{Store, TimeRange, Unavailable, facts};

/// Counts the changes of reviews that this process has committed or heard of. A cache of reviews is current while the count is the
/// one at which it was read.
#[derive(Debug, Clone, Default)]
pub struct ReviewChanges(Arc<AtomicU64>);

impl ReviewChanges {
    /// Notes a change, before its caller hears of it.
    pub fn touch(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns how many there were.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Store {
    /// Returns all reviews, in the order in which their inquiries were received. Reads every inquiry, unless nobody has ever written a
    /// review.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn reviews(&self) -> Result<Vec<FoundReview>, Unavailable> {
        let mut found = Vec::new();
        let facts = self.facts().await?;
        if facts.reviews_written_at.or(facts.reviews_changed_at).is_none() {
            return Ok(found);
        }
        let mut records = self.records(TimeRange::default()).await?;
        while let Some(record) = records.next().await? {
            found.extend(FoundReview::all_of(&record));
        }
        Ok(found)
    }

    /// Returns when reviews were changed last; `None` if nobody has ever written one. Cheap.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn reviews_changed_at(&self) -> Result<Option<Timestamp>, Unavailable> {
        self.fact(facts::REVIEWS.to_owned()).await
    }

    /// Returns how many changes of reviews were committed or heard of here.
    pub fn review_changes(&self) -> &ReviewChanges {
        &self.context.reviews
    }
}
