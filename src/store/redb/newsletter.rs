//! Subscriptions to the newsletter, as pages and commands ask for them.

use jiff::Timestamp;
use redb::ReadableDatabase;

use super::error::{attempt, logged};
use super::schema::SUBSCRIPTIONS;
use super::writer::SubscriptionChange;
use super::{Redb, subscriptions};
use crate::newsletter::Subscription;
use crate::referral::DeliveryId;
use crate::store::error::Unavailable;
use crate::store::stream::Subscriptions;
use crate::store::subscription_record::{self, Wish};

impl Redb {
    /// Begins a subscription.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn subscribe(&self, email: String) -> Result<bool, Unavailable> {
        let wish = Wish::new(&email, &self.secret);
        self.writer.apply(SubscriptionChange::Request(wish)).await?
    }

    /// Confirms a subscription that was asked for at some time; returns whether there is one.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn confirm_subscription(
        &self,
        key: [u8; 16],
        requested_at: Timestamp,
    ) -> Result<bool, Unavailable> {
        let confirmation = SubscriptionChange::Confirm(key, requested_at);
        self.writer.apply(confirmation).await?
    }

    /// Has the mail of a subscription tried now; returns whether there is such a mail that waits or has failed.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn retry_subscription(&self, delivery: DeliveryId) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Retry(delivery)).await?
    }

    /// Ends a subscription; returns whether there was one.
    ///
    /// # Errors
    /// While the file cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.writer.apply(SubscriptionChange::Remove(key)).await?
    }

    /// Returns the key of an address's subscription.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        subscription_record::key(&self.secret, email)
    }

    /// Returns a subscription.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn subscription(&self, key: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |handle| subscriptions::read(&handle.begin_read()?.open_table(SUBSCRIPTIONS)?, &key))
            .await
    }

    /// Returns all subscriptions as they are now. A thread of its own reads them, which waits for the reader and ends when
    /// that is gone.
    ///
    /// # Errors
    /// While the file cannot be read.
    pub async fn subscriptions(&self) -> Result<Subscriptions, Unavailable> {
        let opened = self.read(|handle| {
            let table = handle.begin_read()?.open_table(SUBSCRIPTIONS)?;
            Ok((table, handle.keep_open()))
        });
        let (table, keep_open) = opened.await?;
        let (sender, stream) = Subscriptions::channel();
        tokio::task::spawn_blocking(move || {
            let end = attempt(|| subscriptions::send(&table, &sender)).map_err(|error| logged(&error));
            // Closed before the file that it is read from.
            drop(table);
            drop(keep_open);
            // A reader that is gone does not miss it.
            let _ = sender.blocking_send(end.map(|()| Vec::new()));
        });
        Ok(stream)
    }
}
