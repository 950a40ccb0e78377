//! Changing subscriptions to the newsletter.

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

/// What the keyed digests of addresses are for. Another word would lose every subscription.
const PURPOSE: &[u8] = b"newsletter";

/// Returns the key of a subscription by the address that is kept in it.
pub fn subscription_key(secret: &Secret, email: &str) -> Id {
    secret.address_key(PURPOSE, email)
}

/// Somebody's wish to subscribe.
pub struct Wish {
    /// The address as it goes on the wire, so that all its spellings are one subscription.
    pub email: String,
    /// The key of the subscription that it has, or would have.
    pub key: Id,
    /// How many mails its address may get.
    pub quota: ConfirmationQuota,
}

impl Wish {
    /// Prepares everything that needs no engine.
    pub fn new(typed: &str, secret: &Secret) -> Self {
        let email = Address::parse(typed).map_or_else(|_| typed.to_owned(), |address| address.to_string());
        Self {
            key: subscription_key(secret, &email),
            quota: ConfirmationQuota::newsletter(secret, typed),
            email,
        }
    }
}

/// What happens to a subscription.
pub enum SubscriptionChange {
    /// Somebody asks for one.
    Request(Wish),
    /// The subscriber confirms what was asked for at this time.
    Confirm(Id, Timestamp),
    /// The subscriber ends it, or the operator erases it.
    Remove(Id),
    /// The mail with the link was tried.
    Settle(Id, Outcome),
    /// The operator wants the mail with the link, of this id, to be tried now.
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
    /// Whether there was such a subscription, or one was begun.
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
                    // Something is stored all the same: the time that it takes must not tell whether the address is known.
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
                subscription.settle(outcome, now, is_retaken);
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
        // Another request has a mail of its own.
        if matches!(self, Self::Settle(..) | Self::Request(_)) {
            entry.leases.end(0);
        }
        tx.save(&entry);
        Ok(true)
    }
}

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
        self.read(move |view| Ok(reads::entry(view, key)?.map(|entry: StoredRecord<_>| entry.record)))
            .await
    }

    /// Returns the key of the subscription that an address has, or would have.
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
