//! Subscriptions to the newsletter, as pages and commands ask for them.

use redb::ReadableDatabase;

use super::schema::SUBSCRIPTIONS;
use super::writer::{NEWSLETTER, SubscriptionChange};
use super::{Redb, subscriptions};
use crate::newsletter::Subscription;
use crate::store::error::Unavailable;

impl Redb {
    /// Begins a subscription.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn subscribe(&self, email: String) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Request(email)).await
    }

    /// Confirms a subscription; returns whether there is one.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn confirm_subscription(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Confirm(key)).await
    }

    /// Ends a subscription; returns whether there was one.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Remove(key)).await
    }

    /// Returns the key of an address's subscription.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        self.secret.address_key(NEWSLETTER, email)
    }

    /// Returns a subscription.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn subscription(&self, key: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |handle| subscriptions::read(&handle.begin_read()?.open_table(SUBSCRIPTIONS)?, &key))
            .await
    }

    /// Returns all subscriptions.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn subscriptions(&self) -> Result<Vec<Subscription>, Unavailable> {
        self.read(|handle| subscriptions::read_all(&handle.begin_read()?))
            .await
    }
}
