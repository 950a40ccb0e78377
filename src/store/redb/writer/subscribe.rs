//! Changing subscriptions to the newsletter.

use jiff::Timestamp;
use uuid::Uuid;

use super::operation::Operation;
use crate::newsletter::Subscription;
use crate::referral::{DeliveryId, Outcome, Settling};
use crate::store::error::Unavailable;
use crate::store::redb::schema::Id;
use crate::store::redb::subscriptions;
use crate::store::redb::transaction::Transaction;
use crate::store::subscription_record::Wish;

/// What happens to a subscription.
pub enum SubscriptionChange {
    /// Somebody asks for one with this address.
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

impl Operation for SubscriptionChange {
    /// Whether there was such a subscription, or one was begun.
    type Reply = Result<bool, Unavailable>;

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, redb::Error> {
        let now = transaction.now;
        let key = match &self {
            Self::Request(wish) => {
                let old = subscriptions::read(transaction.subscriptions.open()?, &wish.typed_key)?;
                let is_old = old.is_some_and(|old| !old.is_expired(now));
                if is_old { wish.typed_key } else { wish.key }
            }
            Self::Confirm(key, _) | Self::Remove(key) | Self::Settle(key, _) => *key,
            Self::Retry(delivery) => delivery.inquiry.into_bytes(),
        };
        let found = subscriptions::read(transaction.subscriptions.open()?, &key)?;
        let found = found.filter(|found| !found.is_expired(now));
        let before = subscriptions::read(transaction.subscriptions.open()?, &key)?
            .map_or_else(Default::default, |found| found.due());
        let changed = match (self, found) {
            (Self::Request(wish), found) => match found {
                // Committed all the same: the time that it takes must not tell whether the address is known.
                Some(found) if found.is_confirmed() => return Ok(Ok(committed(transaction, false))),
                _ if !transaction.memory.confirmations.may_send(&wish.quota, now) => {
                    return Ok(Ok(committed(transaction, false)));
                }
                Some(found) => Some(found.requested_again(now)),
                None => Some(Subscription::requested(wish.email, now)),
            },
            (_, None) => return Ok(Ok(false)),
            (Self::Confirm(_, requested_at), Some(found)) if !found.is_of(requested_at) => {
                return Ok(Ok(false));
            }
            (Self::Confirm(..), Some(mut found)) => {
                if found.is_confirmed() {
                    return Ok(Ok(true));
                }
                found.confirm(now);
                Some(found)
            }
            (Self::Remove(_), Some(_)) => {
                if let Err(error) = transaction.memory.erased.note(Uuid::from_bytes(key), now) {
                    tracing::error!(%error, "a subscription was not ended, because erased.jsonl cannot be written");
                    return Ok(Err(Unavailable));
                }
                None
            }
            (Self::Settle(_, outcome), Some(mut found)) => {
                let opened_at = transaction.memory.opened_at;
                found.settle(&outcome, Settling { now, opened_at });
                Some(found)
            }
            (Self::Retry(delivery), Some(mut found)) => {
                if found.delivery_id(key) != delivery || !found.delivery.retry(now) {
                    return Ok(Ok(false));
                }
                Some(found)
            }
        };
        transaction.effects.leaves_traces |= changed.is_none();
        transaction.effects.has_due = true;
        transaction.effects.is_changed = true;
        subscriptions::write(
            transaction.subscriptions.open()?,
            &mut transaction.due,
            &key,
            changed.as_ref(),
            before,
        )?;
        Ok(Ok(true))
    }
}

fn committed(transaction: &mut Transaction<'_>, reply: bool) -> bool {
    transaction.effects.is_changed = true;
    reply
}
