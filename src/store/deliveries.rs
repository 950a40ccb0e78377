//! Deliveries and what the clock brings, as the outbox asks for them.

use std::time::Duration;

use tokio::time::timeout;

use super::Store;
use super::entry::Delivering;
use super::error::Unavailable;
use super::operations::{LeasedBatch, LeasedDelivery, SubscriptionChange, Update};
use crate::domain::referral::{Change, Lane, Outcome};

/// How often what other instances have left is looked for: with this and the length of a lease, it is taken over within a
/// minute.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// How many inquiries, and as many subscriptions, the clock brings in one transaction, so that no visitor waits long for it.
const AT_ONCE: usize = 64;

impl Store {
    /// Leases deliveries of a lane that are due, most overdue first, at most `limit`. Nobody else gets them until they
    /// are settled, or the process has ended.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn lease(&self, lane: Lane, limit: usize) -> Result<LeasedBatch, Unavailable> {
        let holds = self.context.holds.clone();
        let mut claimed = self.write(move |tx| tx.lease(lane, limit, &holds)).await?;
        claimed.claims.iter_mut().for_each(|claim| claim.hold.begin());
        Ok(claimed)
    }

    /// Notes what came of a leased delivery, durably. It is made sure of even after the deadline.
    ///
    /// # Errors
    /// While the store cannot be written: the delivery stays leased, so call again.
    pub async fn settle(&self, claim: &LeasedDelivery, outcome: Outcome) -> Result<(), Unavailable> {
        let id = claim.id;
        match claim.what {
            Delivering::Inquiry(_) => {
                let change = Change::Settle(id.number, outcome);
                // Of an inquiry that is gone by now nothing is to be noted.
                let _ = self
                    .writer
                    .apply(Update {
                        id: id.inquiry,
                        change,
                    })
                    .await?;
            }
            Delivering::Subscription(_) => {
                let change = SubscriptionChange::Settle(id.inquiry.into_bytes(), outcome);
                self.writer.apply(change).await?;
            }
        }
        self.context.holds.settled(claim.hold.held);
        Ok(())
    }

    /// Does some of what is due by the clock: passes over firms that have not answered, begins released inquiries, forgets
    /// what is over. Returns how many that were; call again unless it is 0.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        self.write(|tx| tx.tick(AT_ONCE)).await
    }

    /// Waits until something may have become due, here or by another instance. Only one task may wait.
    pub async fn has_due(&self) {
        let has_due = self.context.has_due.notified();
        if self.is_shared() {
            // Either way it is time to look.
            let _ = timeout(LOOK_EVERY, has_due).await;
        } else {
            has_due.await;
        }
    }
}
