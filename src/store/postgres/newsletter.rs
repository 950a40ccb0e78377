//! Subscriptions to the newsletter, as pages and commands ask for them.

use jiff::Timestamp;

use super::writer::SubscriptionChange;
use super::{Postgres, queries, snapshot};
use crate::newsletter::Subscription;
use crate::referral::DeliveryId;
use crate::store::error::Unavailable;
use crate::store::stream::Subscriptions;
use crate::store::subscription_record;

impl Postgres {
    /// Begins a subscription.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn subscribe(&self, email: String) -> Result<bool, Unavailable> {
        let change = SubscriptionChange::request(&email, self.known_secret().await?);
        self.writer.apply(change).await
    }

    /// Confirms a subscription that was asked for at some time; returns whether there is one.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn confirm_subscription(
        &self,
        key: [u8; 16],
        requested_at: Timestamp,
    ) -> Result<bool, Unavailable> {
        self.writer
            .apply(SubscriptionChange::confirm(key, requested_at))
            .await
    }

    /// Has the mail of a subscription tried now; returns whether there is such a mail that waits or has failed.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn retry_subscription(&self, delivery: DeliveryId) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::retry(delivery)).await
    }

    /// Ends a subscription; returns whether there was one.
    ///
    /// # Errors
    /// While the database cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::remove(key)).await
    }

    /// Returns the key of an address's subscription.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        subscription_record::key(self.secret(), email)
    }

    /// Returns a subscription.
    ///
    /// # Errors
    /// While the database cannot be read.
    pub async fn subscription(&self, key: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |client| Box::pin(queries::subscription(client, key)))
            .await
    }

    /// Returns all subscriptions as they are now.
    ///
    /// # Errors
    /// While the database cannot be read.
    pub async fn subscriptions(&self) -> Result<Subscriptions, Unavailable> {
        let sessions = self.sessions.clone();
        let opened = self
            .engine
            .run(async move { snapshot::subscriptions(&sessions).await })
            .await?;
        opened.map_err(|error| error.logged())
    }
}
