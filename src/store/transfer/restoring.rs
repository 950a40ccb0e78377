//! What becomes of the rows of a backup when it is restored: nothing comes back that was erased since, and what waited is held back,
//! because the lost store may have sent it since.

use std::collections::BTreeMap;

use jiff::Timestamp;
use uuid::Uuid;

use super::row::Row;
use crate::referral::Delivery;
use crate::store::core::{Fact, is_copied, referral_record, subscription_record};
use crate::store::erased_list::Erased;
use crate::store::error::Damaged;
use crate::store::time::millis;

/// What was restored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    /// How many inquiries.
    pub inquiries: u64,
    /// What is held.
    pub held: HeldBack,
    /// How many inquiries and subscriptions of the backup were erased again.
    pub erased: u64,
    /// When the backup was made.
    pub made_at: Option<Timestamp>,
}

/// What is held back, but for inquiries that are erased again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeldBack {
    /// Deliveries that wait.
    pub deliveries: u64,
    /// Inquiries that stand still: their firms are not asked yet, or their answers may be overdue when the server starts.
    pub inquiries: u64,
}

/// A backup on its way into a store.
pub struct Restoring {
    /// What is erased again.
    erased: Erased,
    now: Timestamp,
    restored: Restored,
    /// Since when something is held.
    held_since: Option<u64>,
    /// What else stays as it was, by name. All facts are read back in the order of their names.
    facts: BTreeMap<String, u64>,
}

impl Restoring {
    /// Begins to restore a backup that was made at a time, if it says so.
    pub fn new(made_at: Option<Timestamp>, erased: Erased, now: Timestamp) -> Self {
        Self {
            erased,
            now,
            restored: Restored {
                made_at,
                ..Restored::default()
            },
            held_since: None,
            facts: BTreeMap::new(),
        }
    }

    /// Returns when it is restored.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns what was restored so far.
    pub fn restored(&self) -> Restored {
        self.restored
    }

    /// Returns what takes the place of a row; `None` if nothing does.
    ///
    /// # Errors
    /// When its value cannot be read.
    pub fn change(&mut self, row: Row) -> Result<Option<Row>, Damaged> {
        Ok(match row {
            Row::Fact { name, value } => {
                // A firm that was paused stays paused, and reviews are looked for.
                if is_copied(&name) {
                    self.facts.insert(name, value);
                } else if name == Fact::Suspended.name() {
                    self.held_since = self.held_since.max(Some(value));
                }
                None
            }
            Row::Inquiry { ref id, .. } => {
                let is_erased = self.erased.contains_key(&Uuid::from_bytes(*id));
                let count = if is_erased {
                    &mut self.restored.erased
                } else {
                    &mut self.restored.inquiries
                };
                *count += 1;
                (!is_erased).then_some(row)
            }
            Row::Referral { id, value } => self.referral(id, &value)?,
            Row::Subscription { key, value } => self.subscription(key, &value)?,
            // The list begins anew.
            Row::Erased { .. } => None,
            row => Some(row),
        })
    }

    /// Returns what follows the last row.
    pub fn end(&mut self) -> Vec<Row> {
        let made_at = self.restored.made_at.map(millis);
        let noted = [(Fact::Backup, made_at), (Fact::Suspended, self.held_since)];
        let noted = noted
            .into_iter()
            .filter_map(|(fact, value)| Some((fact.name().to_owned(), value?)));
        self.facts.extend(noted);
        let facts = std::mem::take(&mut self.facts).into_iter();
        let facts = facts.map(|(name, value)| Row::Fact { name, value });
        let erased = self.erased.iter().map(|(id, at)| Row::Erased {
            id: id.into_bytes(),
            at: millis(*at),
        });
        facts.chain(erased).collect()
    }

    /// Holds back an inquiry. Of an erased one only notices to firms remain.
    fn referral(&mut self, id: [u8; 16], value: &[u8]) -> Result<Option<Row>, Damaged> {
        let mut referral = referral_record::decode(&id, value)?;
        let goes_on = referral.goes_on_by_clock();
        let held = self.hold(&mut referral.deliveries, goes_on);
        let remains = if self.erased.contains_key(&Uuid::from_bytes(id)) {
            referral.erased(self.now)
        } else {
            self.restored.held.deliveries += held;
            self.restored.held.inquiries += u64::from(goes_on);
            Some(referral)
        };
        remains
            .map(|referral| {
                let value = referral_record::encode(&id, &referral)?;
                Ok(Row::Referral { id, value })
            })
            .transpose()
    }

    /// Holds back a subscription, or ends it, unless it was asked for again after it was ended.
    fn subscription(&mut self, key: [u8; 16], value: &[u8]) -> Result<Option<Row>, Damaged> {
        let mut subscription = subscription_record::decode(value)?;
        let ended = self.erased.get(&Uuid::from_bytes(key));
        if ended.is_some_and(|at| subscription.delivery.since <= *at) {
            self.restored.erased += 1;
            return Ok(None);
        }
        let held = self.hold(std::slice::from_mut(&mut subscription.delivery), false);
        self.restored.held.deliveries += held;
        let value = subscription_record::encode(&subscription)?;
        Ok(Some(Row::Subscription { key, value }))
    }

    /// Holds back what waits; returns how much that is. What goes on by the clock stands still from now on, too.
    fn hold(&mut self, deliveries: &mut [Delivery], goes_on: bool) -> u64 {
        let mut held = 0;
        for delivery in deliveries.iter_mut().filter(|delivery| delivery.due().is_some()) {
            delivery.hold(self.now);
            held += 1;
        }
        if held > 0 || goes_on {
            self.held_since = Some(millis(self.now));
        }
        held
    }
}
