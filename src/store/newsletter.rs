//! Subscriptions to the newsletter, as pages and commands ask for them.

use jiff::Timestamp;

use super::entry::Entry;
use super::error::Unavailable;
use super::map::{Kind, Span, scan};
use super::operations::{SubscriptionChange, Wish, subscription_key};
use super::stream::Subscriptions;
use super::time::in_time;
use super::{Store, reads};
use crate::domain::newsletter::Subscription;
use crate::domain::referral::DeliveryId;

impl Store {
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

    /// Returns all subscriptions as they are now, also those that wait to be confirmed, in no particular order.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscriptions(&self) -> Result<Subscriptions, Unavailable> {
        let view = in_time(self.view(true, Ok)).await?;
        Ok(Subscriptions::read(move |each| {
            scan(&*view, Span::all(Kind::Subscriptions), |key, value| {
                Ok(each(Entry::<Subscription>::decode(&key, &value)?.record))
            })
        }))
    }

    /// Returns the key of the subscription that an address has, or would have.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        subscription_key(self.secret(), email)
    }
}
