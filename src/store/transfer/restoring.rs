//! Adapts the rows of a backup when it is restored: erased entries stay erased, and pending deliveries are held back, because the
//! lost store may have sent them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use uuid::Uuid;

use super::row::TableRow;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Delivery, InquiryRecord};
use crate::store::entry::StoredRecord;
use crate::store::erased_list::Erased;
use crate::store::facts::{self, is_copied};
use crate::store::map::{EngineError, EntryKind, Key, Value};
use crate::store::values::{id, millis, number};

/// Summary of a restore.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    /// When the backup was made.
    pub made_at: Timestamp,
    /// Restored inquiries.
    pub inquiries: u64,
    /// Inquiries and subscriptions that were erased again.
    pub erased: u64,
    /// Pending deliveries, held back until the operator releases them.
    pub held_deliveries: u64,
    /// Inquiries with pending clock-driven steps, also held back.
    pub held_inquiries: u64,
}

/// Adapts rows on their way from a backup.
pub struct Restoring<'e> {
    erased: &'e Erased,
    now: Timestamp,
    restored: Restored,
    held_since: Option<u64>,
    /// Facts to write at the end, in key order.
    facts: BTreeMap<Key, Value>,
}

impl<'e> Restoring<'e> {
    /// Starts from the time of the backup and the ids erased since.
    pub fn new(made_at: Timestamp, erased: &'e Erased, now: Timestamp) -> Self {
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

    /// Adapts a row; `None` if it is dropped or comes at the end.
    ///
    /// # Errors
    /// When the row cannot be decoded.
    pub fn change(&mut self, row: TableRow) -> Result<Option<TableRow>, EngineError> {
        Ok(match row.kind {
            EntryKind::Facts => {
                if row.key == facts::SUSPENDED.as_bytes() {
                    self.held_since = self.held_since.max(Some(number(&row.value)?));
                }
                // Keeps the pauses of firms, and the visibility of reviews.
                if std::str::from_utf8(&row.key).is_ok_and(is_copied) {
                    self.facts.insert(row.key, row.value);
                }
                None
            }
            EntryKind::Inquiries => self.inquiry(row)?,
            EntryKind::Subscriptions => self.subscription(row)?,
            EntryKind::Photos => {
                let inquiry = id(row.key.get(..16).unwrap_or_default())?;
                (!self.erased.contains_key(&Uuid::from_bytes(inquiry))).then_some(row)
            }
            // The list is rewritten.
            EntryKind::Erased => None,
            _ => Some(row),
        })
    }

    /// Returns the summary, and the rows that come last.
    pub fn end(mut self) -> (Restored, Vec<TableRow>) {
        let bytes = |time: u64| time.to_be_bytes().to_vec();
        let made_at = bytes(millis(self.restored.made_at));
        self.facts.insert(facts::BACKUP.into(), made_at);
        let held_since = self.held_since.map(bytes);
        self.facts
            .extend(held_since.map(|since| (facts::SUSPENDED.into(), since)));
        let facts = self.facts.into_iter();
        let facts = facts.map(|(key, value)| (EntryKind::Facts, key, value));
        let erased = self.erased.iter();
        let erased = erased.map(|(id, at)| (EntryKind::Erased, id.as_bytes().to_vec(), bytes(millis(*at))));
        let rows = facts.chain(erased);
        let rows = rows
            .map(|(kind, key, value)| TableRow { kind, key, value })
            .collect();
        (self.restored, rows)
    }

    fn inquiry(&mut self, row: TableRow) -> Result<Option<TableRow>, EngineError> {
        let mut entry = StoredRecord::<InquiryRecord>::decode(&row.key, &row.value)?;
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
            self.restored.held_deliveries += held;
            self.restored.held_inquiries += u64::from(goes_on);
        }
        let value = entry.encode();
        Ok(Some(TableRow { value, ..row }))
    }

    fn subscription(&mut self, row: TableRow) -> Result<Option<TableRow>, EngineError> {
        let mut entry = StoredRecord::<Subscription>::decode(&row.key, &row.value)?;
        let ended = self.erased.get(&Uuid::from_bytes(entry.id));
        // It may have been requested again since.
        if ended.is_some_and(|at| entry.record.delivery.since <= *at) {
            self.restored.erased += 1;
            return Ok(None);
        }
        let held = self.hold(std::slice::from_mut(&mut entry.record.delivery), false);
        self.restored.held_deliveries += held;
        let value = entry.encode();
        Ok(Some(TableRow { value, ..row }))
    }

    /// Holds back pending deliveries; returns their number.
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
