//! Changes subscriptions to the newsletter.

use jiff::Timestamp;

use super::Operation;
use crate::base::text::mail_address::Address;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::confirmation_quota::ConfirmationQuota;
use crate::domain::referral::{DeliveryId, Outcome, Secret};
use crate::store::entry::StoredRecord;
use crate::store::map::{EngineError, EntryKind, Wanted};
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
    /// The address as it is sent to, so that all spellings share one subscription.
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

/// A change of a subscription.
pub enum SubscriptionChange {
    /// A request to subscribe.
    Request(Wish),
    /// The confirmation of a request made at this time.
    Confirm(Id, Timestamp),
    /// The end of a subscription, by the subscriber or the operator.
    Remove(Id),
    /// The outcome of sending the mail with the link.
    Settle(Id, Outcome),
    /// The operator's wish to send the mail of this id now.
    Retry(DeliveryId),
}

impl SubscriptionChange {
    fn key(&self) -> Id {
        match self {
            Self::Request(wish) => wish.key,
            Self::Confirm(key, _) | Self::Remove(key) | Self::Settle(key, _) => *key,
            Self::Retry(delivery) => delivery.inquiry.into_bytes(),
        }
    }
}

impl Operation for SubscriptionChange {
    /// Whether the subscription existed or was begun.
    type Reply = bool;

    fn is_made_late(&self) -> bool {
        matches!(self, Self::Settle(..))
    }

    fn wants(&self, wanted: &mut Wanted) {
        wanted.add(EntryKind::Subscriptions, self.key());
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<bool, EngineError> {
        let now = tx.now;
        let key = self.key();
        let stored: Option<StoredRecord<Subscription>> = reads::entry(tx, key)?;
        let found = stored.clone().filter(|found| !found.record.is_expired(now));
        let subscription = match (&*self, found) {
            (Self::Request(wish), found) => {
                let is_confirmed = found.as_ref().is_some_and(|found| found.record.is_confirmed());
                if is_confirmed || !tx.may_send(&wish.quota) {
                    // Write something in any case: the response time must not reveal whether the address is known.
                    tx.note(facts::HEALTH, Some(millis(now)));
                    return Ok(false);
                }
                match found {
                    Some(found) => found.record.requested_again(now),
                    None => Subscription::requested(wish.email.clone(), now),
                }
            }
            (_, None) => return Ok(false),
            (Self::Confirm(_, requested_at), Some(found)) => {
                let mut subscription = found.record;
                if !subscription.is_of(*requested_at) {
                    return Ok(false);
                }
                if subscription.is_confirmed() {
                    return Ok(true);
                }
                subscription.confirm(now);
                subscription
            }
            (Self::Remove(_), Some(found)) => {
                tx.note_erased(&key);
                tx.remove_entry(&found);
                return Ok(true);
            }
            (Self::Settle(_, outcome), Some(found)) => {
                let is_retaken = found.leases.of(0).is_some_and(|lease| lease.is_retaken);
                let mut subscription = found.record;
                subscription.delivery.settle(outcome, now, is_retaken);
                subscription
            }
            (Self::Retry(delivery), Some(found)) => {
                let mut subscription = found.record;
                if subscription.delivery_id(key) != *delivery || !subscription.delivery.retry(now) {
                    return Ok(false);
                }
                subscription
            }
        };
        let mut entry = match stored {
            Some(mut stored) => {
                stored.record = subscription;
                stored
            }
            None => StoredRecord::new(key, subscription),
        };
        // A repeated request has a mail of its own.
        if matches!(self, Self::Settle(..) | Self::Request(_)) {
            entry.leases.end(0);
        }
        tx.save(&entry);
        Ok(true)
    }
}

impl Store {
    /// Begins a subscription, unless the address has one or has received too many mails; returns whether it did. Only the owner of
    /// the address may learn which.
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

    /// Confirms a subscription requested at some time, as its token states. Returns whether it exists.
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

    /// Retries the mail of a subscription now; returns whether one is waiting or has failed.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn retry_subscription(&self, delivery: DeliveryId) -> Result<bool, Unavailable> {
        self.change(SubscriptionChange::Retry(delivery)).await
    }

    /// Ends a subscription, keeping nothing of it; returns whether it existed.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn unsubscribe(&self, key: [u8; 16]) -> Result<bool, Unavailable> {
        self.change(SubscriptionChange::Remove(key)).await
    }

    async fn change(&self, change: SubscriptionChange) -> Result<bool, Unavailable> {
        in_time(self.writer.apply(change)).await
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
