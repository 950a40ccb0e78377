//! Changing subscriptions to the newsletter.

use jiff::Timestamp;
use uuid::Uuid;

use super::fact::Fact;
use super::ids::Id;
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::subscription_record::Wish;
use super::transaction::Transaction;
use crate::newsletter::Subscription;
use crate::referral::{DeliveryId, HandlingPolicy, Outcome, Settling};
use crate::store::time::millis;

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
    /// Returns the key of the subscription, given what was read.
    fn key(&self, transaction: &Transaction<'_>) -> Uuid {
        match self {
            Self::Request(wish) => {
                let typed_key = Uuid::from_bytes(wish.typed_key);
                let old = transaction.rows.subscriptions.get(&typed_key);
                let old = old.and_then(|old| old.subscription.as_ref());
                let is_old = old.is_some_and(|old| !old.is_expired(transaction.now));
                if is_old {
                    typed_key
                } else {
                    Uuid::from_bytes(wish.key)
                }
            }
            Self::Confirm(key, _) | Self::Remove(key) | Self::Settle(key, _) => Uuid::from_bytes(*key),
            Self::Retry(delivery) => delivery.inquiry,
        }
    }
}

impl Operation for SubscriptionChange {
    /// Whether there was such a subscription, or one was begun.
    type Reply = bool;

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        let key = match self {
            Self::Request(wish) => {
                reads.turns = true;
                reads.mailboxes.insert(wish.quota.key);
                reads.subscriptions.insert(Uuid::from_bytes(wish.typed_key));
                Uuid::from_bytes(wish.key)
            }
            Self::Confirm(key, _) | Self::Remove(key) | Self::Settle(key, _) => Uuid::from_bytes(*key),
            Self::Retry(delivery) => delivery.inquiry,
        };
        reads.subscriptions.insert(key);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<bool, ApplyError> {
        let now = transaction.now;
        let key = self.key(transaction);
        let entry = transaction.rows.subscriptions.entry(key).or_default();
        let is_unsure = entry.leases.of(0).is_some_and(|lease| lease.is_retaken);
        let found = entry.subscription.clone().filter(|found| !found.is_expired(now));
        let changed = match (&*self, found) {
            (Self::Request(wish), found) => {
                if found.as_ref().is_some_and(Subscription::is_confirmed)
                    || !transaction.may_send(&wish.quota)
                {
                    // Something is stored all the same: the time that it takes must not tell whether the address is known.
                    let facts = &mut transaction.changes.facts;
                    facts.insert(Fact::Health.name().into(), Some(millis(now)));
                    return Ok(false);
                }
                Some(match found {
                    Some(found) => found.requested_again(now),
                    None => Subscription::requested(wish.email.clone(), now),
                })
            }
            (_, None) => return Ok(false),
            (Self::Confirm(_, requested_at), Some(found)) if !found.is_of(*requested_at) => return Ok(false),
            (Self::Confirm(..), Some(found)) if found.is_confirmed() => return Ok(true),
            (Self::Confirm(..), Some(mut found)) => {
                found.confirm(now);
                Some(found)
            }
            (Self::Remove(_), Some(_)) => {
                transaction.changes.erased.insert(key);
                None
            }
            (Self::Settle(_, outcome), Some(mut found)) => {
                let opened_at = if is_unsure {
                    Timestamp::MAX
                } else {
                    transaction.state.opened_at
                };
                found.settle(outcome, Settling { now, opened_at });
                Some(found)
            }
            (Self::Retry(delivery), Some(mut found)) => {
                if found.delivery_id(key.into_bytes()) != *delivery || !found.delivery.retry(now) {
                    return Ok(false);
                }
                Some(found)
            }
        };
        let entry = transaction.rows.subscriptions.entry(key).or_default();
        // Another request has a mail of its own.
        if matches!(self, Self::Settle(..) | Self::Request(_)) {
            entry.leases.end(0);
        }
        entry.subscription = changed;
        transaction.save_subscription(key);
        Ok(true)
    }

    fn erases(&self) -> Option<Uuid> {
        match self {
            Self::Remove(key) => Some(Uuid::from_bytes(*key)),
            _ => None,
        }
    }
}
