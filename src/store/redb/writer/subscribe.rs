//! Changing subscriptions to the newsletter.

use super::operation::Operation;
use super::referrals as common;
use crate::newsletter::Subscription;
use crate::referral::Outcome;
use crate::store::redb::schema::Id;
use crate::store::redb::subscriptions;
use crate::store::redb::transaction::Transaction;

/// What happens to a subscription.
pub enum SubscriptionChange {
    /// Somebody asks for one with this address.
    Request(String),
    /// The subscriber confirms it.
    Confirm(Id),
    /// The subscriber ends it, or the operator erases it.
    Remove(Id),
    /// The mail with the link was tried.
    Settle(Id, Outcome),
}

/// What the keyed digests of subscribers' addresses are for.
pub const NEWSLETTER: &[u8] = b"newsletter";

impl Operation for SubscriptionChange {
    /// Whether there was such a subscription, or one was begun.
    type Reply = bool;

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<bool, redb::Error> {
        let now = transaction.now;
        let key = match &self {
            Self::Request(email) => transaction.memory.secret.address_key(NEWSLETTER, email),
            Self::Confirm(key) | Self::Remove(key) | Self::Settle(key, _) => *key,
        };
        let found = subscriptions::read(transaction.subscriptions.open()?, &key)?;
        let found = found.filter(|found| !found.is_expired(now));
        let before = subscriptions::read(transaction.subscriptions.open()?, &key)?
            .map_or_else(Default::default, |found| found.due());
        let changed = match (self, found) {
            (Self::Request(email), found) => match found {
                // Committed all the same: the time that it takes must not tell whether the address is known.
                Some(found) if found.is_confirmed() => return Ok(committed(transaction, false)),
                _ if !common::may_confirm(transaction, &email)? => return Ok(committed(transaction, false)),
                _ => Some(Subscription::requested(email, now)),
            },
            (_, None) => return Ok(false),
            (Self::Confirm(_), Some(mut found)) => {
                if found.is_confirmed() {
                    return Ok(true);
                }
                found.confirm(now);
                Some(found)
            }
            (Self::Remove(_), Some(_)) => None,
            (Self::Settle(_, outcome), Some(mut found)) => {
                found.settle(&outcome, now);
                Some(found)
            }
        };
        transaction.effects.leaves_traces |= changed.is_none();
        transaction.effects.has_due = true;
        transaction.effects.is_changed = true;
        subscriptions::write(
            transaction.subscriptions.open()?,
            transaction.due.open()?,
            &key,
            changed.as_ref(),
            before,
        )?;
        Ok(true)
    }
}

fn committed(transaction: &mut Transaction<'_>, reply: bool) -> bool {
    transaction.effects.is_changed = true;
    reply
}
