//! Changes subscriptions to the newsletter.

use jiff::Timestamp;

use crate::base::text::mail_address::Address;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::confirmation_quota::ConfirmationQuota;
use crate::domain::referral::{DeliveryId, Outcome, Secret};
use crate::store::entry::StoredRecord;
use crate::store::map::EngineError;
use crate::store::tx::Tx;
use crate::store::values::ids::Id;
use crate::store::values::millis;
use crate::store::{Store, Unavailable, facts, in_time, reads};

/// Separates the digests of addresses from others made with the same secret. Changing it would lose every subscription.
const PURPOSE: &[u8] = b"newsletter";

/// The key of the subscription of an address.
pub fn subscription_key(secret: &Secret, email: &str) -> Id {
    secret.address_key(PURPOSE, email)
}

/// A request to subscribe.
pub struct Wish {
    /// The address in the form used for sending, so that all its spellings share one subscription.
    pub email: String,
    /// The key of its subscription.
    pub key: Id,
    /// How many mails the address may receive.
    pub quota: ConfirmationQuota,
}

impl Wish {
    /// Prepares everything that does not need the engine.
    pub fn new(typed: &str, secret: &Secret) -> Self {
        let email = Address::parse(typed).map_or_else(|_| typed.to_owned(), |address| address.to_string());
        Self {
            key: subscription_key(secret, &email),
            quota: ConfirmationQuota::newsletter(secret, typed),
            email,
        }
    }
}

impl Store {
    /// Begins a subscription, unless the address has one or has received too many mails; returns whether it did. Only the owner
    /// of the address may learn the reason.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn subscribe(&self, email: String) -> Result<bool, Unavailable> {
        in_time(async {
            let wish = Wish::new(&email, self.known_secret().await?);
            self.write(move |tx| tx.request_subscription(&wish)).await
        })
        .await
    }

    /// Confirms a subscription requested at some time, as its token states. Returns whether it exists.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn confirm_subscription(
        &self,
        key: [u8; 16],
        requested_at: Timestamp,
    ) -> Result<bool, Unavailable> {
        self.write(move |tx| tx.confirm_subscription(key, requested_at))
            .await
    }

    /// Retries the mail of a subscription now; returns whether one is waiting or has failed.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn retry_subscription(&self, delivery: DeliveryId) -> Result<bool, Unavailable> {
        self.write(move |tx| tx.retry_subscription(delivery)).await
    }

    /// Ends a subscription and keeps none of its data; returns whether it existed.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.write(move |tx| tx.remove_subscription(key)).await
    }

    /// Returns the subscription with a key.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn subscription(&self, key: [u8; 16]) -> Result<Option<Subscription>, Unavailable> {
        self.read(move |view| Ok(reads::entry(view, key)?.map(|entry: StoredRecord<_>| entry.record)))
            .await
    }

    /// The key of the subscription of an address.
    pub fn subscription_key(&self, email: &str) -> [u8; 16] {
        subscription_key(self.secret(), email)
    }
}

impl Tx<'_> {
    /// Begins a subscription, or sends its mail again; returns `false` if it is already confirmed or its address has received too
    /// many mails.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn request_subscription(&mut self, wish: &Wish) -> Result<bool, EngineError> {
        let now = self.now;
        let stored: Option<StoredRecord<Subscription>> = reads::entry(self, wish.key)?;
        let found = stored.as_ref().map(|stored| &stored.record);
        let found = found.filter(|found| !found.is_expired(now));
        if found.is_some_and(Subscription::is_confirmed) || !self.may_send(&wish.quota) {
            // Write something in any case: the response time must not reveal whether the address is known.
            self.note(facts::HEALTH, Some(millis(now)));
            return Ok(false);
        }
        let record = match found {
            Some(found) => found.clone().requested_again(now),
            None => Subscription::requested(wish.email.clone(), now),
        };
        let mut entry = stored.unwrap_or_else(|| StoredRecord::new(wish.key, record.clone()));
        entry.record = record;
        // A repeated request gets its own mail.
        entry.leases.end(0);
        self.save(&entry);
        Ok(true)
    }

    /// Confirms a subscription requested at some time; returns whether it exists.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn confirm_subscription(&mut self, key: Id, requested_at: Timestamp) -> Result<bool, EngineError> {
        let found = self.current_subscription(key)?;
        let Some(mut found) = found.filter(|found| found.record.is_of(requested_at)) else {
            return Ok(false);
        };
        if !found.record.is_confirmed() {
            found.record.confirm(self.now);
            self.save(&found);
        }
        Ok(true)
    }

    /// Ends a subscription, by the subscriber or the operator; returns whether it existed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn remove_subscription(&mut self, key: Id) -> Result<bool, EngineError> {
        let found = self.current_subscription(key)?;
        if let Some(found) = &found {
            self.note_erased(&key);
            self.remove_entry(found);
        }
        Ok(found.is_some())
    }

    /// Records the outcome of sending the mail with the link, unless the subscription has ended.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn settle_subscription(&mut self, key: Id, outcome: &Outcome) -> Result<(), EngineError> {
        if let Some(mut found) = self.current_subscription(key)? {
            let is_retaken = found.leases.of(0).is_some_and(|lease| lease.is_retaken);
            found.record.delivery.settle(outcome, self.now, is_retaken);
            found.leases.end(0);
            self.save(&found);
        }
        Ok(())
    }

    /// Has the mail of this id sent now; returns whether one is waiting or has failed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn retry_subscription(&mut self, delivery: DeliveryId) -> Result<bool, EngineError> {
        let key = delivery.inquiry.into_bytes();
        let found = self.current_subscription(key)?;
        let Some(mut found) = found.filter(|found| found.record.delivery_id(key) == delivery) else {
            return Ok(false);
        };
        let is_retried = found.record.delivery.retry(self.now);
        if is_retried {
            self.save(&found);
        }
        Ok(is_retried)
    }

    fn current_subscription(&self, key: Id) -> Result<Option<StoredRecord<Subscription>>, EngineError> {
        let found = reads::entry(self, key)?;
        Ok(found.filter(|found: &StoredRecord<Subscription>| !found.record.is_expired(self.now)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_what_stores_in_use_have() {
        let key = subscription_key(&Secret::new([7; 32]), "anna@example.de");
        assert_eq!(
            u128::from_be_bytes(key),
            0xc5ee_32d0_bb30_8386_6be1_cf0e_977f_baea
        );
    }

    #[test]
    fn spellings_of_an_address_are_one_subscription() {
        let secret = Secret::new([7; 32]);
        let wish = Wish::new("\"Anna\"@ex\u{ad}ample.de", &secret);
        assert_eq!(wish.email, "Anna@example.de");
        assert_eq!(wish.key, subscription_key(&secret, "anna@example.de"));
        let tagged = Wish::new("anna+x@example.de", &secret);
        assert_ne!(tagged.key, wish.key);
        assert_eq!(tagged.quota, wish.quota);
    }
}
