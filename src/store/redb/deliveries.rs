//! Deliveries and what the clock brings, as the outbox asks for them.

use super::Redb;
use super::writer::{FindDue, SubscriptionChange, Tick};
use crate::referral::{Change, Lane, Outcome};
use crate::store::claimed::{Claim, Claimed, Delivering};
use crate::store::error::Unavailable;
use crate::store::update::Update;

impl Redb {
    /// Claims deliveries that are due.
    ///
    /// # Errors
    /// As for [`crate::store::Store::claim`].
    pub async fn claim(&self, lane: Lane, limit: usize) -> Result<Claimed, Unavailable> {
        self.writer.apply(FindDue { lane, limit }).await
    }

    /// Notes what came of a try.
    ///
    /// # Errors
    /// As for [`crate::store::Store::settle`].
    pub async fn settle(&self, claim: &Claim, outcome: Outcome) -> Result<(), Unavailable> {
        let id = claim.id;
        match claim.what {
            Delivering::Inquiry(_) => {
                // Of an inquiry that is gone by now nothing is to be noted.
                let change = Change::Settle(id.number, outcome);
                let _ = self.writer.apply(Update::settled(id.inquiry, change)).await?;
            }
            Delivering::Subscription(_) => {
                let change = SubscriptionChange::Settle(id.inquiry.into_bytes(), outcome);
                self.writer.apply(change).await??;
            }
        }
        Ok(())
    }

    /// Does some of what is due by the clock; returns how many that were.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        self.writer.apply(Tick).await
    }

    /// Waits until something may have become due.
    pub async fn has_due(&self) {
        self.has_due.notified().await;
    }
}
