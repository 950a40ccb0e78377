//! The ledger: acceptances, their outcomes, credits, and the closing of months.

use std::collections::BTreeSet;

use jiff::Timestamp;
use uuid::Uuid;

use super::lease::readable;
use crate::domain::commission::{Outcome, Percent};
use crate::domain::ledger::{Acceptance, Closing, Credit, LedgerRefusal, Month};
use crate::domain::matching::FirmId;
use crate::domain::referral::{InquiryRecord, Referral};
use crate::store::entry::StoredRecord;
use crate::store::map::{EngineError, EntryKind, View};
use crate::store::tx::Tx;
use crate::store::values::ids::first_since;
use crate::store::values::{acceptance_key, decode_billed, encode_billed, millis, month_key};
use crate::store::{Store, Unavailable, facts, reads};

/// How often to look for firms to ask for outcomes, in milliseconds: once an hour.
const ASK_EVERY: u64 = 3_600_000;

/// A change to the ledger, or the reason why it was refused.
type Changed<T> = Result<T, LedgerRefusal>;

impl Store {
    /// The acceptances of an inquiry. They outlive the inquiry.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn acceptances(&self, inquiry: Uuid) -> Result<Vec<Acceptance>, Unavailable> {
        self.read(move |view| reads::acceptances_of(view, inquiry)).await
    }

    /// All acceptances, in order of the inquiries' ids.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn all_acceptances(&self) -> Result<Vec<Acceptance>, Unavailable> {
        self.read(|view| reads::acceptances(view, |_| true)).await
    }

    /// The acceptances with a line in a month, and its closing if it is closed.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn ledger(&self, month: Month) -> Result<(Option<Closing>, Vec<Acceptance>), Unavailable> {
        // In this order: once a month is closed, its lines no longer change.
        self.read(move |view| {
            let closing = reads::closing(view, month)?;
            let acceptances = reads::acceptances(view, |known| known.lines_in(month).next().is_some())?;
            Ok((closing, acceptances))
        })
        .await
    }

    /// Records the outcome of an inquiry as reported by a firm.
    ///
    /// # Errors
    /// When the store cannot be written; the inner error tells why the outcome was refused.
    pub async fn note_outcome(
        &self,
        inquiry: Uuid,
        firm: FirmId,
        outcome: Outcome,
    ) -> Result<Changed<()>, Unavailable> {
        let noted = self.write(move |tx| {
            let now = tx.now;
            tx.amend(inquiry, &firm, |acceptance, at, closed| {
                let is_changeable = acceptance.is_changeable(now);
                acceptance.report(outcome, at, closed);
                is_changeable.then_some(()).ok_or(LedgerRefusal::TooLate)
            })
        });
        Ok(noted.await?.map(drop))
    }

    /// Credits an acceptance: takes back everything that is billed for it. Returns the changed acceptance.
    ///
    /// # Errors
    /// When the store cannot be written; the inner error tells why it was refused.
    pub async fn credit(
        &self,
        inquiry: Uuid,
        firm: FirmId,
        reason: String,
    ) -> Result<Changed<Acceptance>, Unavailable> {
        self.write(move |tx| {
            let (at, reason) = (tx.now, reason.clone());
            let credit = Credit { reason, at };
            tx.amend(inquiry, &firm, |acceptance, at, closed| {
                acceptance.take_back(credit, at, closed)
            })
        })
        .await
    }

    /// Closes a month, which freezes its figures; a closed month keeps its VAT rate.
    ///
    /// # Errors
    /// When the store cannot be written; the inner error tells why it was refused.
    pub async fn close_month(&self, month: Month, vat: Percent) -> Result<Changed<()>, Unavailable> {
        self.write(move |tx| tx.close_month(month, vat)).await
    }
}

impl Tx<'_> {
    /// Adds a firm's acceptance at the current price.
    pub(super) fn note_acceptance(&mut self, inquiry: Uuid, firm: &FirmId) -> Result<(), EngineError> {
        let known = self.cache.matching.rotation.get(firm);
        let mut acceptance = Acceptance {
            inquiry,
            firm: firm.clone(),
            name: known.map_or_else(|| firm.to_string(), |known| known.name.clone()),
            at: self.now,
            terms: known.and_then(|known| known.commission).unwrap_or_default(),
            outcome: Outcome::Open,
            later: Vec::new(),
            credit: None,
            asked_at: None,
        };
        acceptance.at = self.billable_at(acceptance.at)?;
        self.save_acceptance(&acceptance);
        Ok(())
    }

    /// The earliest time, not before the given one, whose month is open: a clock set back must not add to a billed month.
    fn billable_at(&self, mut at: Timestamp) -> Result<Timestamp, EngineError> {
        while reads::closing(self, Month::of(at))?.is_some() {
            at = Month::of(at).next().begins();
        }
        Ok(at)
    }

    fn save_acceptance(&mut self, acceptance: &Acceptance) {
        let key = acceptance_key(acceptance.inquiry, &acceptance.firm);
        self.put(EntryKind::Ledger, key, encode_billed(acceptance));
    }

    fn acceptance(&self, inquiry: Uuid, firm: &FirmId) -> Result<Option<Acceptance>, EngineError> {
        let value = self.get(EntryKind::Ledger, &acceptance_key(inquiry, firm))?;
        value
            .map(|value| decode_billed(&value, "an acceptance cannot be read"))
            .transpose()
    }

    /// Changes an acceptance and returns it. `change` gets the time at which a change is billed unless the month of the
    /// acceptance is open, and the closed months.
    fn amend(
        &mut self,
        inquiry: Uuid,
        firm: &FirmId,
        change: impl FnOnce(&mut Acceptance, Timestamp, &BTreeSet<Month>) -> Changed<()>,
    ) -> Result<Changed<Acceptance>, EngineError> {
        let Some(before) = self.acceptance(inquiry, firm)? else {
            return Ok(Err(LedgerRefusal::NotAccepted));
        };
        let mut closed = BTreeSet::new();
        let mut at = self.now;
        for line in before.lines() {
            at = at.max(line.at);
            if reads::closing(self, Month::of(line.at))?.is_some() {
                closed.insert(Month::of(line.at));
            }
        }
        let mut acceptance = before.clone();
        if let Err(refusal) = change(&mut acceptance, self.billable_at(at)?, &closed) {
            return Ok(Err(refusal));
        }
        if acceptance != before {
            self.save_acceptance(&acceptance);
        }
        Ok(Ok(acceptance))
    }

    /// Asks firms by mail for open outcomes, except those that cannot be mailed now. An inquiry that is gone is recreated without
    /// its data until the mail is sent.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn ask_for_outcomes(&mut self) -> Result<(), EngineError> {
        let now = self.now;
        // This reads the whole ledger, so do it rarely.
        if millis(now).abs_diff(self.cache.asked_at) < ASK_EVERY {
            return Ok(());
        }
        self.cache.asked_at = millis(now);
        let rotation = &self.cache.matching.rotation;
        // In a restored store, the lost one may have asked for older ones.
        let held = reads::fact(self, facts::SUSPENDED)?.map_or_else(Default::default, first_since);
        let due = reads::acceptances(self, |known| {
            let can_be_mailed = rotation.get(&known.firm).is_some();
            can_be_mailed
                && rotation.unreachable_since(&known.firm).is_none()
                && known.lacks_outcome(now)
                && *known.inquiry.as_bytes() >= held
        })?;
        for mut acceptance in due {
            let (id, inquiry) = (acceptance.inquiry, None);
            let Some(stored) = readable::<Option<StoredRecord>>(reads::entry(self, id))? else {
                continue;
            };
            let mut entry = stored.unwrap_or_else(|| {
                let referral = Referral::gone(now);
                StoredRecord::new(
                    id.into_bytes(),
                    InquiryRecord {
                        id,
                        inquiry,
                        referral,
                    },
                )
            });
            entry.record.referral.ask_for_outcome(&acceptance, now);
            self.save(&entry);
            acceptance.asked_at = Some(now);
            self.save_acceptance(&acceptance);
        }
        Ok(())
    }

    /// Closes a month, which freezes its figures. A closed month is left unchanged.
    ///
    /// # Errors
    /// As for [`Self::note_outcome`].
    pub fn close_month(&mut self, month: Month, vat: Percent) -> Result<Changed<()>, EngineError> {
        let at = self.now;
        if !month.is_over(at) {
            return Ok(Err(LedgerRefusal::NotOver(month)));
        }
        if reads::closing(self, month)?.is_none() {
            let closing = Closing { month, at, vat };
            self.put(EntryKind::Closings, month_key(month), encode_billed(&closing));
        }
        Ok(Ok(()))
    }
}
