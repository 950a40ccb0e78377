//! The ledger: what an acceptance adds to it, what firms say that became of it, and the end of a month.

use std::collections::btree_map::Entry;

use uuid::Uuid;

use super::acceptance_record::AcceptanceKey;
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::commission::{Outcome, Percent, Terms};
use crate::ledger::{Acceptance, Closing, ClosingRefusal, Month, OutcomeRefusal};
use crate::matching::FirmId;
use crate::referral::{Answer, HandlingPolicy, Referral};
use crate::store::time::to_millisecond;

impl Transaction<'_> {
    /// Adds the acceptance of a firm, at the price of this moment.
    pub fn note_acceptance(&mut self, inquiry: Uuid, firm: &FirmId) {
        let known = self.state.matching.rotation.get(firm);
        let mut acceptance = Acceptance {
            inquiry,
            firm: firm.clone(),
            name: known.map_or_else(|| firm.to_string(), |known| known.name.clone()),
            at: to_millisecond(self.now),
            terms: known.and_then(|known| known.commission).unwrap_or_default(),
            outcome: Outcome::Open,
        };
        // A clock that was set back must not add to a month that was billed.
        while self.rows.closings.contains_key(&Month::of(acceptance.at)) {
            acceptance.at = Month::of(acceptance.at).next().begins();
        }
        self.save_acceptance(acceptance);
    }

    fn save_acceptance(&mut self, acceptance: Acceptance) {
        let key = (acceptance.inquiry, acceptance.firm.clone());
        self.changes.acceptances.insert(key.clone());
        self.rows.acceptances.insert(key, acceptance);
    }
}

/// Returns what the ledger lacks of a referral from before there was one. What the acceptances cost is not known.
pub fn acceptances_of(inquiry: Uuid, referral: &Referral) -> impl Iterator<Item = Acceptance> {
    referral.asked.iter().filter_map(move |asked| match asked.answer {
        Answer::Accepted(at) => Some(Acceptance {
            inquiry,
            firm: asked.firm.clone(),
            name: asked.firm.to_string(),
            at,
            terms: Terms::default(),
            outcome: Outcome::Open,
        }),
        Answer::Pending | Answer::Declined(_) | Answer::Silent | Answer::Unreachable => None,
    })
}

/// Notes what a firm says that became of an inquiry.
pub struct NoteOutcome {
    /// The inquiry and the firm.
    pub key: AcceptanceKey,
    /// What became of it.
    pub outcome: Outcome,
}

impl Operation for NoteOutcome {
    type Reply = Result<(), OutcomeRefusal>;

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        reads.acceptances.insert(self.key.0);
        reads.closings = true;
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError> {
        let Some(acceptance) = transaction.rows.acceptances.get(&self.key) else {
            return Ok(Err(OutcomeRefusal::Unknown));
        };
        if transaction.rows.closings.contains_key(&Month::of(acceptance.at)) {
            return Ok(Err(OutcomeRefusal::Closed));
        }
        if !acceptance.is_changeable(transaction.now) {
            return Ok(Err(OutcomeRefusal::TooLate));
        }
        if acceptance.outcome != self.outcome {
            let acceptance = acceptance.clone();
            transaction.save_acceptance(Acceptance {
                outcome: self.outcome,
                ..acceptance
            });
        }
        Ok(Ok(()))
    }
}

/// Closes a month, whose figures then stay as they are. One that is closed stays so.
pub struct CloseMonth {
    /// The month.
    pub month: Month,
    /// The rate of value added tax of its statements.
    pub vat: Percent,
}

impl Operation for CloseMonth {
    type Reply = Result<(), ClosingRefusal>;

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        reads.time = true;
        reads.closings = true;
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError> {
        let now = transaction.now;
        if !self.month.is_over(now) {
            return Ok(Err(ClosingRefusal::NotOver(self.month)));
        }
        if let Entry::Vacant(place) = transaction.rows.closings.entry(self.month) {
            place.insert(Closing {
                month: self.month,
                at: to_millisecond(now),
                vat: self.vat,
            });
            transaction.changes.closings.insert(self.month);
        }
        Ok(Ok(()))
    }
}
