//! Leasing deliveries that are due, so that nobody else tries them.

use jiff::Timestamp;
use uuid::Uuid;

use super::holds::{Hold, Holds, Leased, LetGo};
use super::leases::{LEASE, Leases};
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::newsletter::Subscription;
use crate::referral::{Delivery, DeliveryId, HandlingPolicy, InquiryRecord, Lane};

/// What was found due.
#[derive(Debug, Default)]
pub struct LeasedBatch {
    /// The deliveries to be tried.
    pub claims: Vec<LeasedDelivery>,
    /// When the next one of the lane is due, if none is left that is due now.
    pub next: Option<Timestamp>,
}

/// A delivery that is to be tried, and then settled. Dropping it lets the delivery go.
#[derive(Debug)]
pub struct LeasedDelivery {
    /// Names it for good.
    pub id: DeliveryId,
    /// The delivery as it was when it was leased.
    pub delivery: Delivery,
    /// What it is about.
    pub what: Delivering,
    /// Keeps others from trying it, from when the lease is committed.
    pub(in crate::store) hold: Option<Hold>,
}

/// What a delivery is about.
#[derive(Debug)]
pub enum Delivering {
    /// An inquiry.
    Inquiry(Box<InquiryRecord>),
    /// A subscription to the newsletter.
    Subscription(Box<Subscription>),
}

impl LeasedDelivery {
    /// Returns what names its lease.
    pub(in crate::store) fn held(&self) -> Leased {
        match self.what {
            Delivering::Inquiry(_) => Leased::Inquiry(self.id),
            Delivering::Subscription(_) => Leased::Subscription(self.id.inquiry),
        }
    }
}

/// Leases deliveries of a lane that are due, at most `limit`.
pub struct Lease {
    /// The lane.
    pub lane: Lane,
    /// How many.
    pub limit: usize,
    /// The leases of this instance.
    pub holds: Holds,
}

impl Operation for Lease {
    type Reply = LeasedBatch;

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.add_due(self.lane, self.limit);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<LeasedBatch, ApplyError> {
        let mut claimed = LeasedBatch::default();
        let due = transaction.rows.due.entry(self.lane).or_default();
        let next = due.next;
        let (inquiries, subscriptions) = (due.inquiries.clone(), due.subscriptions.clone());
        for id in inquiries {
            self.lease(transaction, id, &mut claimed);
        }
        for key in subscriptions {
            self.lease_subscription(transaction, key, &mut claimed);
        }
        if claimed.claims.len() < self.limit {
            claimed.next = next;
        }
        Ok(claimed)
    }

    fn committed(&self, claimed: &mut LeasedBatch) {
        for claim in &mut claimed.claims {
            claim.hold = Some(self.holds.hold(claim.held()));
        }
    }
}

impl Lease {
    fn lease(&self, transaction: &mut Transaction<'_>, id: Uuid, claimed: &mut LeasedBatch) {
        let (now, holder) = (transaction.now, transaction.state.holder);
        let Some(entry) = transaction.rows.inquiries.get_mut(&id) else {
            return;
        };
        // What cannot be read does not block later deliveries.
        let Ok(Some(record)) = entry.record(id) else {
            return;
        };
        for (number, delivery) in record.referral.due_deliveries(self.lane, now) {
            if claimed.claims.len() >= self.limit {
                break;
            }
            if !entry.leases.take(number, holder, now) {
                continue;
            }
            transaction.changes.leased.insert(id);
            claimed.claims.push(LeasedDelivery {
                id: DeliveryId { inquiry: id, number },
                delivery: delivery.clone(),
                what: Delivering::Inquiry(Box::new(record.clone())),
                hold: None,
            });
        }
    }

    fn lease_subscription(&self, transaction: &mut Transaction<'_>, key: Uuid, claimed: &mut LeasedBatch) {
        let (now, holder) = (transaction.now, transaction.state.holder);
        let Some(entry) = transaction.rows.subscriptions.get_mut(&key) else {
            return;
        };
        let Some(subscription) = entry.subscription.as_ref().filter(|found| found.is_due(now)) else {
            return;
        };
        if claimed.claims.len() < self.limit && entry.leases.take(0, holder, now) {
            transaction.changes.leased_subscriptions.insert(key);
            claimed.claims.push(LeasedDelivery {
                id: subscription.delivery_id(key.into_bytes()),
                delivery: subscription.delivery.clone(),
                what: Delivering::Subscription(Box::new(subscription.clone())),
                hold: None,
            });
        }
    }
}

/// Keeps leases of this instance from running out, and gives back those that were let go.
pub struct Renew {
    /// What is still tried.
    pub held: Vec<Leased>,
    /// What it no longer tries.
    pub let_go: LetGo,
}

impl Operation for Renew {
    type Reply = ();

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        reads.time = true;
        let let_go = self.let_go.begun.iter().chain(&self.let_go.unused);
        for held in self.held.iter().chain(let_go) {
            match held {
                Leased::Inquiry(id) => reads.inquiries.insert(id.inquiry),
                Leased::Subscription(key) => reads.subscriptions.insert(*key),
            };
        }
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<(), ApplyError> {
        let now = transaction.now;
        let later = now.saturating_add(LEASE).unwrap_or(now);
        let holder = transaction.state.holder;
        let renew = |until| move |leases: &mut Leases, number| leases.renew(number, holder, until);
        let give_back = |leases: &mut Leases, number| leases.give_back(number, holder, now);
        change_leases(transaction, &self.held, renew(later));
        change_leases(transaction, &self.let_go.begun, renew(now));
        change_leases(transaction, &self.let_go.unused, give_back);
        transaction.changes.has_due = true;
        Ok(())
    }
}

/// Changes leases by a function that gets the number of each, and returns whether there was anything to change.
fn change_leases(
    transaction: &mut Transaction<'_>,
    held: &[Leased],
    change: impl Fn(&mut Leases, u16) -> bool,
) {
    for held in held {
        match held {
            Leased::Inquiry(id) => {
                let entry = transaction.rows.inquiries.get_mut(&id.inquiry);
                if entry.is_some_and(|entry| entry.damaged.is_none() && change(&mut entry.leases, id.number))
                {
                    transaction.changes.leased.insert(id.inquiry);
                }
            }
            Leased::Subscription(key) => {
                let entry = transaction.rows.subscriptions.get_mut(key);
                if entry.is_some_and(|entry| change(&mut entry.leases, 0)) {
                    transaction.changes.leased_subscriptions.insert(*key);
                }
            }
        }
    }
}
