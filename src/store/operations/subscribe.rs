//! Changing subscriptions to the newsletter.

use jiff::Timestamp;

use super::Operation;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{DeliveryId, Outcome, SettleContext};
use crate::store::entry::SubscriptionEntry;
use crate::store::map::{EngineError, Kind, Wanted};
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::fact::Fact;
use crate::store::values::ids::Id;
use crate::store::values::subscription_record::Wish;

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
        wanted.add(Kind::Subscriptions, self.key());
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<bool, EngineError> {
        let now = tx.now;
        let key = self.key();
        let stored = tx.subscription(&key)?;
        let found = stored.clone().filter(|found| !found.subscription.is_expired(now));
        let subscription = match (&*self, found) {
            (Self::Request(wish), found) => {
                let is_confirmed = found
                    .as_ref()
                    .is_some_and(|found| found.subscription.is_confirmed());
                if is_confirmed || !tx.may_send(&wish.quota) {
                    // Something is stored all the same: the time that it takes must not tell whether the address is known.
                    tx.note(Fact::Health.name(), Some(millis(now)));
                    return Ok(false);
                }
                match found {
                    Some(found) => found.subscription.requested_again(now),
                    None => Subscription::requested(wish.email.clone(), now),
                }
            }
            (_, None) => return Ok(false),
            (Self::Confirm(_, requested_at), Some(found)) => {
                let mut subscription = found.subscription;
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
                tx.remove_subscription(&key, &found);
                return Ok(true);
            }
            (Self::Settle(_, outcome), Some(found)) => {
                let is_unsure = found.leases.of(0).is_some_and(|lease| lease.is_retaken);
                let opened_at = if is_unsure { Timestamp::MAX } else { Timestamp::MIN };
                let mut subscription = found.subscription;
                subscription.settle(outcome, SettleContext { now, opened_at });
                subscription
            }
            (Self::Retry(delivery), Some(found)) => {
                let mut subscription = found.subscription;
                if subscription.delivery_id(key) != *delivery || !subscription.delivery.retry(now) {
                    return Ok(false);
                }
                subscription
            }
        };
        let mut entry = match stored {
            Some(mut stored) => {
                stored.subscription = subscription;
                stored
            }
            None => SubscriptionEntry::new(subscription),
        };
        // Another request has a mail of its own.
        if matches!(self, Self::Settle(..) | Self::Request(_)) {
            entry.leases.end(0);
        }
        tx.save_subscription(&key, &entry)?;
        Ok(true)
    }
}
