//! Deliveries and what the clock brings, as the outbox asks for them, and subscriptions to the newsletter, as pages and commands do.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;

use super::entry::{Delivering, Entry};
use super::error::Unavailable;
use super::operations::{LeasedBatch, LeasedDelivery, SubscriptionChange, Update, Wish, subscription_key};
use super::time::in_time;
use super::{Store, reads};
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Change, DeliveryId, Lane, Outcome};

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

    /// Begins a subscription to the newsletter, unless the address has one or has got too many mails; returns whether it
    /// did. Nobody but the address itself may hear which of these it was.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn subscribe(&self, email: String) -> Result<bool, Unavailable> {
        in_time(async {
            let wish = Wish::new(&email, self.known_secret().await?);
            self.writer.apply(SubscriptionChange::Request(wish)).await
        })
        .await
    }

    /// Confirms a subscription that was asked for at some time; a token says both. Returns whether there is one.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn confirm_subscription(
        &self,
        key: [u8; 16],
        requested_at: Timestamp,
    ) -> Result<bool, Unavailable> {
        self.change(SubscriptionChange::Confirm(key, requested_at)).await
    }

    /// Has the mail of a subscription tried now; returns whether there is such a mail that waits or has failed.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn retry_subscription(&self, delivery: DeliveryId) -> Result<bool, Unavailable> {
        self.change(SubscriptionChange::Retry(delivery)).await
    }

    /// Ends a subscription; returns whether there was one. Nothing of it is kept.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.change(SubscriptionChange::Remove(key)).await
    }

    async fn change(&self, change: SubscriptionChange) -> Result<bool, Unavailable> {
        in_time(self.writer.apply(change)).await
    }

    /// Returns the subscription that a key names.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscription(&self, key: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |view| Ok(reads::entry(view, key)?.map(|entry: Entry<_>| entry.record)))
            .await
    }

    /// Returns the key of the subscription that an address has, or would have.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        subscription_key(self.secret(), email)
    }
}
