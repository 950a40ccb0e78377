//! Leasing deliveries that are due, and doing what is due by the clock.

use jiff::Timestamp;
use uuid::Uuid;

use super::needs::Needs;
use super::operation::Operation;
use super::transaction::Transaction;
use super::update::update;
use crate::referral::{Change, Delivery, DeliveryId, Lane, Plan};
use crate::store::claimed::Delivering;
use crate::store::postgres::error::Error;
use crate::store::postgres::holds::{Held, Hold, Holds};

/// Leases deliveries of a lane that are due, at most `limit`.
pub struct FindDue {
    /// The lane.
    pub lane: Lane,
    /// How many.
    pub limit: usize,
    /// The leases of this instance.
    pub holds: Holds,
}

/// What was leased.
#[derive(Default)]
pub struct Found {
    /// The deliveries to be tried.
    pub leased: Vec<Leased>,
    /// When the next one of the lane is due, if none is left that is due now.
    pub next: Option<Timestamp>,
}

/// A delivery that was leased.
pub struct Leased {
    /// Names it for good.
    pub id: DeliveryId,
    /// The delivery as it was.
    pub delivery: Delivery,
    /// What it is about.
    pub what: Delivering,
    /// Names its lease.
    pub held: Held,
    /// Holds it from when it is committed.
    pub hold: Option<Hold>,
}

impl Operation for FindDue {
    type Reply = Found;

    fn gather(&self, needs: &mut Needs, _: &Plan) {
        needs.reads = true;
        needs.time = true;
        match self.lane {
            Lane::Clock => {}
            Lane::Mail => needs.mails = needs.mails.max(self.limit),
            Lane::Webhook => needs.webhooks = needs.webhooks.max(self.limit),
        }
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Found, Error> {
        let mut found = Found::default();
        let (ids, next) = match self.lane {
            Lane::Clock => return Ok(found),
            Lane::Mail => (transaction.due.mails.clone(), transaction.due.next_mail),
            Lane::Webhook => (transaction.due.webhooks.clone(), transaction.due.next_webhook),
        };
        for id in &ids {
            self.lease(transaction, *id, &mut found)?;
        }
        if self.lane == Lane::Mail {
            for key in transaction.due.confirmations.clone() {
                self.lease_subscription(transaction, key, &mut found)?;
            }
        }
        if found.leased.len() < self.limit {
            found.next = next;
        }
        Ok(found)
    }

    fn committed(&self, found: &mut Found) {
        for leased in &mut found.leased {
            leased.hold = Some(self.holds.hold(leased.held));
        }
    }
}

impl FindDue {
    fn lease(&self, transaction: &mut Transaction<'_>, id: Uuid, found: &mut Found) -> Result<(), Error> {
        let (now, holder) = (transaction.now, transaction.memory.holder);
        let Some(entry) = transaction.dossiers.get_mut(&id) else {
            return Ok(());
        };
        // What cannot be read does not hold up what stands behind it.
        let Some(dossier) = entry.dossier(id).filter(|_| !entry.is_damaged) else {
            return Ok(());
        };
        let mut is_changed = false;
        for (number, delivery) in dossier.referral.due_deliveries(self.lane, now) {
            if found.leased.len() >= self.limit {
                break;
            }
            if !entry.leases.take(number, holder, now) {
                continue;
            }
            is_changed = true;
            let id = DeliveryId { inquiry: id, number };
            found.leased.push(Leased {
                id,
                delivery: delivery.clone(),
                what: Delivering::Inquiry(Box::new(dossier.clone())),
                held: Held::Inquiry(id),
                hold: None,
            });
        }
        if is_changed {
            let has_due = transaction.effects.has_due;
            transaction.store(id)?;
            transaction.effects.has_due = has_due;
        }
        Ok(())
    }

    fn lease_subscription(
        &self,
        transaction: &mut Transaction<'_>,
        key: Uuid,
        found: &mut Found,
    ) -> Result<(), Error> {
        let (now, holder) = (transaction.now, transaction.memory.holder);
        let Some(entry) = transaction.subscriptions.get_mut(&key) else {
            return Ok(());
        };
        let due = entry
            .subscription
            .as_ref()
            .filter(|subscription| subscription.is_due(now));
        let Some(subscription) = due.filter(|_| found.leased.len() < self.limit).cloned() else {
            return Ok(());
        };
        if entry.leases.take(0, holder, now) {
            found.leased.push(Leased {
                id: subscription.delivery_id(key.into_bytes()),
                delivery: subscription.delivery.clone(),
                what: Delivering::Subscription(Box::new(subscription)),
                held: Held::Subscription(key),
                hold: None,
            });
            transaction.store_subscription(key)?;
        }
        Ok(())
    }
}

/// Does some of what is due by the clock: passes over firms, begins released inquiries, forgets what is over.
pub struct Tick;

impl Operation for Tick {
    /// How many were due; call again unless it is 0.
    type Reply = usize;

    fn gather(&self, needs: &mut Needs, plan: &Plan) {
        needs.reads = true;
        needs.time = true;
        needs.clock = true;
        needs.turns |= !plan.firms.is_empty() || plan.visitor_mail;
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<usize, Error> {
        let overdue = std::mem::take(&mut transaction.due.clock);
        for id in &overdue {
            if update(transaction, *id, &Change::Tick)?.is_ok() {
                // Where nothing has changed, nothing belongs to the time any more.
                transaction.store(*id)?;
            } else {
                transaction.changes.not_due.insert(*id);
            }
        }
        let expired = std::mem::take(&mut transaction.due.expired);
        for key in &expired {
            let now = transaction.now;
            if let Some(entry) = transaction.subscriptions.get_mut(key)
                && entry
                    .subscription
                    .as_ref()
                    .is_some_and(|found| found.is_expired(now))
            {
                entry.subscription = None;
                transaction.store_subscription(*key)?;
            }
        }
        transaction.changes.forgets = true;
        Ok(overdue.len() + expired.len())
    }
}
