//! What becomes of the rows of a backup when it is restored: nothing comes back that was erased since, and what waited is held back,
//! because the lost store may have sent it since.

use std::collections::BTreeMap;

use jiff::Timestamp;
use uuid::Uuid;

use super::row::Row;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::Delivery;
use crate::domain::referral::InquiryRecord;
use crate::store::entry::Entry;
use crate::store::erased_list::Erased;
use crate::store::map::{EngineError, Key, Kind, Value};
use crate::store::time::millis;
use crate::store::values::fact::{Fact, is_copied};
use crate::store::values::{id, number};

/// What was restored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    /// The inquiries that are there.
    pub inquiries: u64,
    /// What is held back.
    pub held: HeldBack,
    /// How many inquiries and subscriptions were erased again.
    pub erased: u64,
    /// When the backup was made, if it says so.
    pub made_at: Option<Timestamp>,
}

/// What a restore holds back until the operator says otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeldBack {
    /// The deliveries that waited.
    pub deliveries: u64,
    /// The inquiries for which the clock would have brought something.
    pub inquiries: u64,
}

/// Changes rows on their way from a backup.
pub struct Restoring {
    erased: Erased,
    now: Timestamp,
    restored: Restored,
    held_since: Option<u64>,
    /// What is noted in the end, in order.
    facts: BTreeMap<Key, Value>,
}

impl Restoring {
    /// Begins with when the backup was made, and what was erased since.
    pub fn new(made_at: Option<Timestamp>, erased: Erased, now: Timestamp) -> Self {
        let restored = Restored {
            made_at,
            ..Restored::default()
        };
        Self {
            erased,
            now,
            restored,
            held_since: None,
            facts: BTreeMap::new(),
        }
    }

    /// Returns what was restored.
    pub fn restored(&self) -> Restored {
        self.restored
    }

    /// Returns what becomes of a row; `None` if nothing is left of it, or it comes at the end.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn change(&mut self, row: Row) -> Result<Option<Row>, EngineError> {
        Ok(match row.kind {
            Kind::Facts => {
                if row.key == Fact::Suspended.name().as_bytes() {
                    self.held_since = self.held_since.max(Some(number(&row.value)?));
                }
                // A firm that was paused stays paused, and reviews are looked for.
                if std::str::from_utf8(&row.key).is_ok_and(is_copied) {
                    self.facts.insert(row.key, row.value);
                }
                None
            }
            Kind::Inquiries => self.inquiry(row)?,
            Kind::Subscriptions => self.subscription(row)?,
            Kind::Photos => {
                let inquiry = id(row.key.get(..16).unwrap_or_default())?;
                (!self.erased.contains_key(&Uuid::from_bytes(inquiry))).then_some(row)
            }
            // The list begins anew.
            Kind::Erased => None,
            _ => Some(row),
        })
    }

    /// Returns the rows that follow from all others.
    pub fn end(mut self) -> Vec<Row> {
        let made_at = self.restored.made_at.map(millis);
        for (fact, value) in [(Fact::Backup, made_at), (Fact::Suspended, self.held_since)] {
            let value = value.map(|value| value.to_be_bytes().to_vec());
            self.facts.extend(value.map(|value| (fact.name().into(), value)));
        }
        let facts = self
            .facts
            .into_iter()
            .map(|(key, value)| (Kind::Facts, key, value));
        let erased = self.erased.into_iter().map(|(id, at)| {
            let at = millis(at).to_be_bytes();
            (Kind::Erased, id.as_bytes().to_vec(), at.to_vec())
        });
        let rows = facts.chain(erased);
        rows.map(|(kind, key, value)| Row { kind, key, value }).collect()
    }

    fn inquiry(&mut self, row: Row) -> Result<Option<Row>, EngineError> {
        let mut entry = Entry::<InquiryRecord>::decode(&row.key, &row.value)?;
        let is_erased = self.erased.contains_key(&entry.record.id);
        if entry.record.inquiry.is_some() {
            let count = if is_erased {
                &mut self.restored.erased
            } else {
                &mut self.restored.inquiries
            };
            *count += 1;
        }
        let goes_on = entry.record.referral.goes_on_by_clock();
        let held = self.hold(&mut entry.record.referral.deliveries, goes_on);
        if is_erased {
            entry.record.inquiry = None;
            match entry.record.referral.erased(self.now) {
                Some(referral) => entry.record.referral = referral,
                None => return Ok(None),
            }
        } else {
            self.restored.held.deliveries += held;
            self.restored.held.inquiries += u64::from(goes_on);
        }
        let value = entry.encode();
        Ok(Some(Row { value, ..row }))
    }

    fn subscription(&mut self, row: Row) -> Result<Option<Row>, EngineError> {
        let mut entry = Entry::<Subscription>::decode(&row.key, &row.value)?;
        let ended = self.erased.get(&Uuid::from_bytes(entry.id));
        // It may have been asked for again since.
        if ended.is_some_and(|at| entry.record.delivery.since <= *at) {
            self.restored.erased += 1;
            return Ok(None);
        }
        let held = self.hold(std::slice::from_mut(&mut entry.record.delivery), false);
        self.restored.held.deliveries += held;
        let value = entry.encode();
        Ok(Some(Row { value, ..row }))
    }

    /// Holds back what waits; returns how much that is.
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
