//! Finding deliveries that are due.
//!
//! The writer does it, between the changes that it makes: a delivery that was settled, or an inquiry that was withdrawn, is
//! never claimed from an older view of the file.

use jiff::Timestamp;
use uuid::Uuid;

use super::operation::Operation;
use super::update;
use crate::referral::{Delivery, DeliveryId, Lane};
use crate::store::claimed::{Claim, Claimed, Delivering};
use crate::store::redb::schema::{Id, millis};
use crate::store::redb::transaction::Transaction;
use crate::store::redb::{referrals, subscriptions};

/// How many entries of the index are looked at: more than may be tried at once, since those stay in it until they are
/// settled.
const LOOKED_AT: usize = 256;

/// Claims deliveries of a lane that are due and not being tried, at most `limit`.
pub struct FindDue {
    /// The lane.
    pub lane: Lane,
    /// How many.
    pub limit: usize,
}

impl Operation for FindDue {
    type Reply = Claimed;

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<Claimed, redb::Error> {
        let Self { lane, limit } = self;
        let mut found = Claimed::default();
        for id in due(transaction, referrals::number(lane), &mut found.next)? {
            if found.claims.len() >= limit {
                return Ok(found);
            }
            let id = Uuid::from_bytes(id);
            // What cannot be read does not hold up what stands behind it.
            let Ok(Some(dossier)) = update::read(transaction, id)? else {
                continue;
            };
            for (number, delivery) in dossier.referral.due_deliveries(lane, transaction.now) {
                let what = || Delivering::Inquiry(Box::new(dossier.clone()));
                claim(
                    transaction,
                    &mut found,
                    limit,
                    DeliveryId { inquiry: id, number },
                    delivery,
                    what,
                );
            }
        }
        for key in due(transaction, subscriptions::number(lane), &mut found.next)? {
            if found.claims.len() >= limit {
                return Ok(found);
            }
            let Some(subscription) = subscriptions::read(transaction.subscriptions.open()?, &key)? else {
                continue;
            };
            if subscription.is_due(transaction.now) {
                let id = subscription.delivery_id(key);
                let delivery = subscription.delivery.clone();
                let what = || Delivering::Subscription(Box::new(subscription));
                claim(transaction, &mut found, limit, id, &delivery, what);
            }
        }
        Ok(found)
    }
}

fn claim(
    transaction: &Transaction<'_>,
    found: &mut Claimed,
    limit: usize,
    id: DeliveryId,
    delivery: &Delivery,
    what: impl FnOnce() -> Delivering,
) {
    if found.claims.len() >= limit {
        return;
    }
    if let Some(hold) = transaction.memory.claims.claim(id) {
        found.claims.push(Claim {
            id,
            delivery: delivery.clone(),
            what: what(),
            _hold: Box::new(hold),
        });
    }
}

fn due(
    transaction: &mut Transaction<'_>,
    lane: u8,
    next: &mut Option<Timestamp>,
) -> Result<Vec<Id>, redb::Error> {
    let now = millis(transaction.now);
    let found = transaction.due.until(lane, now, LOOKED_AT)?;
    if found.len() < LOOKED_AT {
        let time = transaction.due.next_after(lane, now)?;
        let time = time.and_then(|time| i64::try_from(time).ok());
        let time = time.and_then(|time| Timestamp::from_millisecond(time).ok());
        *next = match (*next, time) {
            (Some(next), Some(time)) => Some(next.min(time)),
            (next, time) => next.or(time),
        };
    }
    Ok(found.into_iter().map(|(_, id)| id).collect())
}
