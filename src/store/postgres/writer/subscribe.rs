//! Changing subscriptions to the newsletter.

use jiff::Timestamp;
use uuid::Uuid;

use super::needs::Needs;
use super::operation::Operation;
use super::transaction::{ReferralRow, Transaction};
use super::update;
use crate::newsletter::Subscription;
use crate::referral::{DeliveryId, Due, Outcome, Plan, Secret, Settling};
use crate::store::damaged::Damaged;
use crate::store::ids::Id;
use crate::store::postgres::error::Error;
use crate::store::subscription_record::{self, Wish};

/// A change of a subscription.
pub struct SubscriptionChange {
    key: Uuid,
    what: What,
}

/// What happens to a subscription.
enum What {
    Request(Wish),
    Confirm(Timestamp),
    Remove,
    Settle(Outcome),
    Retry(DeliveryId),
}

impl SubscriptionChange {
    /// Somebody asks for one with this address.
    pub fn request(email: &str, secret: &Secret) -> Self {
        let wish = Wish::new(email, secret);
        Self::of(wish.key, What::Request(wish))
    }

    /// The subscriber confirms what was asked for at this time.
    pub fn confirm(key: Id, requested_at: Timestamp) -> Self {
        Self::of(key, What::Confirm(requested_at))
    }

    /// The subscriber ends it, or the operator erases it.
    pub fn remove(key: Id) -> Self {
        Self::of(key, What::Remove)
    }

    /// The mail with the link was tried.
    pub fn settle(key: Id, outcome: Outcome) -> Self {
        Self::of(key, What::Settle(outcome))
    }

    /// The operator wants the mail with the link, of this id, to be tried now.
    pub fn retry(delivery: DeliveryId) -> Self {
        Self::of(delivery.inquiry.into_bytes(), What::Retry(delivery))
    }

    fn of(key: Id, what: What) -> Self {
        Self {
            key: Uuid::from_bytes(key),
            what,
        }
    }
}

impl Operation for SubscriptionChange {
    /// Whether there was such a subscription, or one was begun.
    type Reply = bool;

    fn gather(&self, needs: &mut Needs, _: &Plan) {
        needs.reads = true;
        needs.subscriptions.insert(self.key);
        if let What::Request(wish) = &self.what {
            needs.turns = true;
            needs.addresses.insert(wish.quota.key);
            needs.subscriptions.insert(Uuid::from_bytes(wish.typed_key));
        }
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<bool, Error> {
        let now = transaction.now;
        if let What::Request(wish) = &self.what {
            let typed_key = Uuid::from_bytes(wish.typed_key);
            let old = transaction.subscriptions.get(&typed_key);
            let old = old.and_then(|old| old.subscription.as_ref());
            let is_old = old.is_some_and(|old| !old.is_expired(now));
            // Decided anew whenever the batch is tried again.
            self.key = if is_old {
                typed_key
            } else {
                Uuid::from_bytes(wish.key)
            };
        }
        let entry = transaction.subscriptions.entry(self.key).or_default();
        let leases = entry.leases.clone();
        let found = entry.subscription.clone().filter(|found| !found.is_expired(now));
        let changed = match (&self.what, found) {
            (What::Request(wish), found) => {
                if found.as_ref().is_some_and(Subscription::is_confirmed)
                    || !update::may_send(transaction, &wish.quota)
                {
                    // Stored all the same: the time that it takes must not tell whether the address is known.
                    transaction
                        .changes
                        .facts
                        .insert("health", Some(now.as_millisecond()));
                    return Ok(false);
                }
                Some(match found {
                    Some(found) => found.requested_again(now),
                    None => Subscription::requested(wish.email.clone(), now),
                })
            }
            (_, None) => return Ok(false),
            (What::Confirm(requested_at), Some(found)) if !found.is_of(*requested_at) => return Ok(false),
            (What::Confirm(_), Some(found)) if found.is_confirmed() => return Ok(true),
            (What::Confirm(_), Some(mut found)) => {
                found.confirm(now);
                Some(found)
            }
            (What::Remove, Some(_)) => {
                transaction.changes.erased.insert(self.key);
                None
            }
            (What::Settle(outcome), Some(mut found)) => {
                let is_unsure = leases.of(0).is_some_and(|lease| lease.is_again);
                let opened_at = if is_unsure { Timestamp::MAX } else { Timestamp::MIN };
                found.settle(outcome, Settling { now, opened_at });
                Some(found)
            }
            (What::Retry(delivery), Some(mut found)) => {
                if found.delivery_id(self.key.into_bytes()) != *delivery || !found.delivery.retry(now) {
                    return Ok(false);
                }
                Some(found)
            }
        };
        let entry = transaction.subscriptions.entry(self.key).or_default();
        // Another request has a mail of its own.
        if matches!(self.what, What::Settle(_) | What::Request(_)) {
            entry.leases.end(0);
        }
        entry.subscription = changed;
        transaction.store_subscription(self.key)?;
        Ok(true)
    }
}

impl Transaction<'_> {
    /// Stores a subscription as it is now.
    pub fn store_subscription(&mut self, key: Uuid) -> Result<(), Damaged> {
        let Some(entry) = self.subscriptions.get(&key) else {
            return Ok(());
        };
        let row = match &entry.subscription {
            None => None,
            Some(subscription) => {
                let due = subscription.due();
                Some(ReferralRow {
                    value: subscription_record::encode(subscription)?,
                    due: Due {
                        mail: due.mail.map(|due| entry.leases.free(0, due)),
                        ..due
                    },
                    leases: entry.leases.encode(),
                })
            }
        };
        self.effects.has_due = true;
        self.changes.subscriptions.insert(key, row);
        Ok(())
    }
}
