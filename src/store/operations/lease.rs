//! Leases due deliveries, so that no other task or instance works on them.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;

use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Change, Delivery, DeliveryId, InquiryRecord, Lane, Outcome};
use crate::store::entry::{Deliverable, Delivering};
use crate::store::job::JobTerms;
use crate::store::map::{EngineError, EntryKind, Span};
use crate::store::tx::Tx;
use crate::store::values::holds::{Hold, Holds, Leased};
use crate::store::values::ids::Id;
use crate::store::values::leases::{LEASE, Leases};
use crate::store::values::{parts_of_due, to_time};
use crate::store::{Store, Unavailable, reads};

/// How many more inquiries than deliveries are read, because unreadable ones stay due.
const SPARE: usize = 32;

/// A batch of due deliveries.
#[derive(Debug, Default)]
pub struct LeasedBatch {
    /// The deliveries to attempt.
    pub claims: Vec<LeasedDelivery>,
    /// When the next delivery of the lane is due, unless more are due already.
    pub next: Option<Timestamp>,
}

/// A delivery to attempt, then settle. Dropping it releases the lease.
#[derive(Debug)]
pub struct LeasedDelivery {
    /// Its permanent id.
    pub id: DeliveryId,
    /// The delivery as of the lease.
    pub delivery: Delivery,
    /// Its subject.
    pub what: Delivering,
    /// Keeps other instances from attempting it.
    pub(in crate::store) hold: Hold,
}

/// Maps a damaged entry to `None`.
pub(super) fn readable<T>(read: Result<T, EngineError>) -> Result<Option<T>, EngineError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(EngineError::Damaged(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How often to look for deliveries that other instances have left behind: with this and the length of a lease, they are taken over
/// within a minute.
const LOOK_EVERY: Duration = Duration::from_secs(10);

impl Store {
    /// Leases due deliveries of a lane, most overdue first, at most `limit`. No other caller gets them until they are settled or
    /// the process has ended.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn lease(&self, lane: Lane, limit: usize) -> Result<LeasedBatch, Unavailable> {
        let holds = self.context.holds.clone();
        let mut claimed = self.write(move |tx| tx.lease(lane, limit, &holds)).await?;
        claimed.claims.iter_mut().for_each(|claim| claim.hold.begin());
        Ok(claimed)
    }

    /// Records the outcome of a leased delivery durably, after the deadline if necessary.
    ///
    /// # Errors
    /// While the store cannot be written: the delivery stays leased, so call again.
    pub async fn settle(&self, claim: &LeasedDelivery, outcome: Outcome) -> Result<(), Unavailable> {
        let id = claim.id;
        match claim.what {
            Delivering::Inquiry(_) => {
                let change = Change::Settle(id.number, outcome);
                // If the inquiry no longer exists, there is nothing to record.
                let _ = self.change(id.inquiry, change).await?;
            }
            Delivering::Subscription(_) => {
                let terms = JobTerms {
                    is_made_late: true,
                    ..JobTerms::default()
                };
                let key = id.inquiry.into_bytes();
                let settle = move |tx: &mut Tx<'_>| tx.settle_subscription(key, &outcome);
                self.writer.apply(terms, settle).await?;
            }
        }
        self.context.holds.settled(claim.hold.held);
        Ok(())
    }

    /// Waits until something may have become due, here or in another instance. Only one task may wait.
    pub async fn has_due(&self) {
        let has_due = self.context.has_due.notified();
        if self.is_shared() {
            // Look again whether notified or timed out.
            let _ = timeout(LOOK_EVERY, has_due).await;
        } else {
            has_due.await;
        }
    }
}

impl Tx<'_> {
    /// Leases due deliveries of a lane, at most `limit`, for `holds`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn lease(&mut self, lane: Lane, limit: usize, holds: &Holds) -> Result<LeasedBatch, EngineError> {
        let mut leased = LeasedBatch::default();
        self.lease_of::<InquiryRecord>(lane, limit, holds, &mut leased)?;
        self.lease_of::<Subscription>(lane, limit, holds, &mut leased)?;
        if leased.claims.len() >= limit {
            leased.next = None;
        }
        Ok(leased)
    }

    fn lease_of<T: Deliverable>(
        &mut self,
        lane: Lane,
        limit: usize,
        holds: &Holds,
        leased: &mut LeasedBatch,
    ) -> Result<(), EngineError> {
        let (now, holder) = (self.now, self.holder);
        for (_, id) in self.due(T::lane(lane), limit.saturating_add(SPARE), |_| true)? {
            // An unreadable entry must not block later deliveries.
            let Some(mut entry) = readable(reads::entry::<T>(self, id))?.flatten() else {
                continue;
            };
            let before = leased.claims.len();
            for (number, name, delivery) in entry.record.deliveries(id, lane, now) {
                if leased.claims.len() >= limit || !entry.leases.take(number, holder, now) {
                    continue;
                }
                let kind = T::KIND;
                leased.claims.push(LeasedDelivery {
                    id: name,
                    delivery,
                    what: entry.record.delivering(),
                    // If the lease is not committed after all, releasing it does nothing.
                    hold: holds.hold(Leased { kind, id, number }),
                });
            }
            if leased.claims.len() > before {
                self.save(&entry);
            }
        }
        let next = self.next_due(T::lane(lane))?.map(to_time);
        leased.next = leased.next.into_iter().chain(next).min();
        Ok(())
    }

    /// Renews this process's leases, and releases those no longer held; the flag tells whether an attempt had begun.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn renew(&mut self, held: &[Leased], let_go: &BTreeMap<Leased, bool>) -> Result<(), EngineError> {
        let (now, holder) = (self.now, self.holder);
        let later = now.saturating_add(LEASE).unwrap_or(now);
        for held in held {
            self.change_leases(held, |leases| leases.renew(held.number, holder, later))?;
        }
        for (let_go, &has_begun) in let_go {
            self.change_leases(let_go, |leases| {
                if has_begun {
                    leases.renew(let_go.number, holder, now)
                } else {
                    leases.give_back(let_go.number, holder, now)
                }
            })?;
        }
        self.effects.has_due = true;
        Ok(())
    }

    /// Ends the leases of earlier processes if no other process can be running, so that their deliveries are retried at once.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn take_over(&mut self) -> Result<(), EngineError> {
        for lane in [Lane::Mail, Lane::Webhook] {
            self.take_over_of::<InquiryRecord>(lane)?;
            self.take_over_of::<Subscription>(lane)?;
        }
        Ok(())
    }

    fn take_over_of<T: Deliverable>(&mut self, lane: Lane) -> Result<(), EngineError> {
        let (now, holder) = (self.now, self.holder);
        // Includes entries that are already due because of other deliveries.
        for key in reads::keys(self, Span::prefix(EntryKind::Due, &[T::lane(lane)]))? {
            let (_, id) = parts_of_due(&key)?;
            self.change_leases_of::<T>(id, |leases| leases.end_others(holder, now))?;
        }
        Ok(())
    }

    /// Changes the leases of an entry with a function that returns whether anything changed.
    fn change_leases(
        &mut self,
        leased: &Leased,
        change: impl FnOnce(&mut Leases) -> bool,
    ) -> Result<(), EngineError> {
        match leased.kind {
            EntryKind::Inquiries => self.change_leases_of::<InquiryRecord>(leased.id, change),
            _ => self.change_leases_of::<Subscription>(leased.id, change),
        }
    }

    fn change_leases_of<T: Deliverable>(
        &mut self,
        id: Id,
        change: impl FnOnce(&mut Leases) -> bool,
    ) -> Result<(), EngineError> {
        if let Some(mut entry) = readable(reads::entry::<T>(self, id))?.flatten()
            && change(&mut entry.leases)
        {
            self.save(&entry);
        }
        Ok(())
    }
}
