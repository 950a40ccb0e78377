//! Leasing deliveries that are due, so that nobody else tries them.

use jiff::Timestamp;
use uuid::Uuid;

use super::Operation;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Delivery, DeliveryId, InquiryRecord, Lane};
use crate::store::map::{EngineError, Kind, Span, Wanted, collect};
use crate::store::time::millis;
use crate::store::tx::{Tx, lane_of_inquiries, lane_of_subscriptions};
use crate::store::values::holds::{Hold, Holds, Leased, LetGo};
use crate::store::values::ids::Id;
use crate::store::values::leases::{LEASE, Leases};
use crate::store::values::{due_key, id, to_time};

/// How many more inquiries than deliveries are read: those that cannot be read stay due.
const SPARE: usize = 32;

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

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<LeasedBatch, EngineError> {
        let mut claimed = LeasedBatch::default();
        let numbers = [lane_of_inquiries(self.lane), lane_of_subscriptions(self.lane)];
        let [inquiries, subscriptions] =
            numbers.map(|number| tx.due(number, self.limit.saturating_add(SPARE)));
        for (_, id) in inquiries? {
            self.lease(tx, Uuid::from_bytes(id), &mut claimed)?;
        }
        for (_, key) in subscriptions? {
            self.lease_subscription(tx, Uuid::from_bytes(key), &mut claimed)?;
        }
        if claimed.claims.len() < self.limit {
            let [one, other] = numbers.map(|number| tx.next_due(number));
            claimed.next = one?.into_iter().chain(other?).min().map(to_time);
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
    fn lease(&self, tx: &mut Tx<'_>, id: Uuid, claimed: &mut LeasedBatch) -> Result<(), EngineError> {
        let (now, holder) = (tx.now, tx.holder);
        if claimed.claims.len() >= self.limit {
            return Ok(());
        }
        // What cannot be read does not block later deliveries.
        let Some(mut entry) = readable(tx.entry(id))?.flatten() else {
            return Ok(());
        };
        if tx.is_alone {
            entry.leases.end_others(holder, now);
        }
        let before = claimed.claims.len();
        for (number, delivery) in entry.record.referral.due_deliveries(self.lane, now) {
            if claimed.claims.len() >= self.limit {
                break;
            }
            if entry.leases.take(number, holder, now) {
                claimed.claims.push(LeasedDelivery {
                    id: DeliveryId { inquiry: id, number },
                    delivery: delivery.clone(),
                    what: Delivering::Inquiry(Box::new(entry.record.clone())),
                    hold: None,
                });
            }
        }
        if claimed.claims.len() > before {
            tx.save(&entry)?;
        }
        Ok(())
    }

    fn lease_subscription(
        &self,
        tx: &mut Tx<'_>,
        key: Uuid,
        claimed: &mut LeasedBatch,
    ) -> Result<(), EngineError> {
        let (now, holder) = (tx.now, tx.holder);
        let Some(mut entry) = readable(tx.subscription(key.as_bytes()))?.flatten() else {
            return Ok(());
        };
        if tx.is_alone {
            entry.leases.end_others(holder, now);
        }
        if claimed.claims.len() < self.limit
            && entry.subscription.is_due(now)
            && entry.leases.take(0, holder, now)
        {
            claimed.claims.push(LeasedDelivery {
                id: entry.subscription.delivery_id(key.into_bytes()),
                delivery: entry.subscription.delivery.clone(),
                what: Delivering::Subscription(Box::new(entry.subscription.clone())),
                hold: None,
            });
            tx.save_subscription(key.as_bytes(), &entry)?;
        }
        Ok(())
    }
}

/// Returns `None` for what is damaged.
pub(super) fn readable<T>(read: Result<T, EngineError>) -> Result<Option<T>, EngineError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(EngineError::Damaged(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Keeps leases of this process from running out, and gives back those that were let go.
pub struct Renew {
    /// What is still tried.
    pub held: Vec<Leased>,
    /// What it no longer tries.
    pub let_go: LetGo,
}

impl Operation for Renew {
    type Reply = ();

    fn is_made_late(&self) -> bool {
        true
    }

    fn wants(&self, wanted: &mut Wanted) {
        let let_go = self.let_go.begun.iter().chain(&self.let_go.unused);
        for held in self.held.iter().chain(let_go) {
            match held {
                Leased::Inquiry(id) => wanted.add(Kind::Inquiries, *id.inquiry.as_bytes()),
                Leased::Subscription(key) => wanted.add(Kind::Subscriptions, *key.as_bytes()),
            }
        }
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        let now = tx.now;
        let later = now.saturating_add(LEASE).unwrap_or(now);
        let holder = tx.holder;
        let renew = |until| move |leases: &mut Leases, number| leases.renew(number, holder, until);
        let give_back = |leases: &mut Leases, number| leases.give_back(number, holder, now);
        for held in &self.held {
            tx.change_leases(held, renew(later))?;
        }
        for let_go in &self.let_go.begun {
            tx.change_leases(let_go, renew(now))?;
        }
        for unused in &self.let_go.unused {
            tx.change_leases(unused, give_back)?;
        }
        tx.effects.has_due = true;
        Ok(())
    }
}

/// Ends the leases of processes before this one, where no other can be alive: what they had begun is tried again at once.
pub struct TakeOver;

impl Operation for TakeOver {
    type Reply = ();

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        let (now, holder) = (tx.now, tx.holder);
        let until = millis(now.saturating_add(LEASE).unwrap_or(now)) + 1;
        let end = |leases: &mut Leases, _| leases.end_others(holder, now);
        for lane in [Lane::Mail, Lane::Webhook] {
            for inquiry in tx.due_until(lane_of_inquiries(lane), until)? {
                let number = 0;
                tx.change_leases(&Leased::Inquiry(DeliveryId { inquiry, number }), end)?;
            }
            for key in tx.due_until(lane_of_subscriptions(lane), until)? {
                tx.change_leases(&Leased::Subscription(key), end)?;
            }
        }
        Ok(())
    }
}

impl Tx<'_> {
    /// Changes the leases of an inquiry or a subscription by a function that gets the number of one, and returns whether there was
    /// anything to change.
    fn change_leases(
        &mut self,
        held: &Leased,
        change: impl FnOnce(&mut Leases, u16) -> bool,
    ) -> Result<(), EngineError> {
        match held {
            Leased::Inquiry(id) => {
                if let Some(mut entry) = readable(self.entry(id.inquiry))?.flatten()
                    && change(&mut entry.leases, id.number)
                {
                    self.save(&entry)?;
                }
            }
            Leased::Subscription(key) => {
                if let Some(mut entry) = readable(self.subscription(key.as_bytes()))?.flatten()
                    && change(&mut entry.leases, 0)
                {
                    self.save_subscription(key.as_bytes(), &entry)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the inquiries or subscriptions that are due in a lane after now and before a time.
    fn due_until(&self, lane: u8, time: u64) -> Result<Vec<Uuid>, EngineError> {
        let from = due_key(lane, millis(self.now) + 1, &Id::default());
        let span = Span {
            from,
            ..Span::before(Kind::Due, due_key(lane, time, &Id::default()))
        };
        collect(self, span, |key, _| {
            Ok(Uuid::from_bytes(id(key.get(9..).unwrap_or_default())?))
        })
    }
}
