//! Deliveries and what the clock brings, as the outbox asks for them.

use std::time::Duration;

use super::Postgres;
use super::holds::Held;
use super::writer::{FindDue, SubscriptionChange, Tick};
use crate::referral::{Change, Lane, Outcome};
use crate::store::claimed::{Claim, Claimed, Delivering};
use crate::store::error::Unavailable;
use crate::store::update::Update;

/// How often what other instances have left is looked for: with this and the length of a lease, it is taken over within a
/// minute.
const LOOK_EVERY: Duration = Duration::from_secs(10);

impl Postgres {
    /// Claims deliveries that are due.
    ///
    /// # Errors
    /// As for [`crate::store::Store::claim`].
    pub async fn claim(&self, lane: Lane, limit: usize) -> Result<Claimed, Unavailable> {
        let holds = self.holds.clone();
        let found = self.writer.apply(FindDue { lane, limit, holds }).await?;
        let claims = found.leased.into_iter().filter_map(|leased| {
            Some(Claim {
                id: leased.id,
                delivery: leased.delivery,
                what: leased.what,
                _hold: Box::new(leased.hold?.begun()),
            })
        });
        Ok(Claimed {
            claims: claims.collect(),
            next: found.next,
        })
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
                self.holds.settled(Held::Inquiry(id));
            }
            Delivering::Subscription(_) => {
                let change = SubscriptionChange::settle(id.inquiry.into_bytes(), outcome);
                self.writer.apply(change).await?;
                self.holds.settled(Held::Subscription(id.inquiry));
            }
        }
        Ok(())
    }

    /// Does some of what is due by the clock; returns how many that were.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        self.writer.apply(Tick).await
    }

    /// Waits until something may have become due, here or by another instance.
    pub async fn has_due(&self) {
        // Either way it is time to look.
        let _ = tokio::time::timeout(LOOK_EVERY, self.has_due.notified()).await;
    }
}
