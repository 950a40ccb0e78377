//! The ledger: what an acceptance adds to it, what firms say that became of it, and the end of a month.

use uuid::Uuid;

use super::Operation;
use crate::domain::commission::{Outcome, Percent};
use crate::domain::ledger::{Acceptance, Closing, ClosingRefusal, Month, OutcomeRefusal};
use crate::domain::matching::FirmId;
use crate::store::map::{EngineError, Kind, View, Wanted};
use crate::store::reads;
use crate::store::tx::Tx;
use crate::store::values::acceptance_record;
use crate::store::values::{acceptance_key, encode_closing, month_key};

impl Tx<'_> {
    /// Adds the acceptance of a firm, at the price of this moment.
    pub(super) fn note_acceptance(&mut self, inquiry: Uuid, firm: &FirmId) -> Result<(), EngineError> {
        let known = self.memory.matching.rotation.get(firm);
        let mut acceptance = Acceptance {
            inquiry,
            firm: firm.clone(),
            name: known.map_or_else(|| firm.to_string(), |known| known.name.clone()),
            at: self.now,
            terms: known.and_then(|known| known.commission).unwrap_or_default(),
            outcome: Outcome::Open,
        };
        // A clock that was set back must not add to a month that was billed.
        while reads::closing(self, Month::of(acceptance.at))?.is_some() {
            acceptance.at = Month::of(acceptance.at).next().begins();
        }
        self.save_acceptance(&acceptance)
    }

    fn save_acceptance(&mut self, acceptance: &Acceptance) -> Result<(), EngineError> {
        let key = acceptance_key(acceptance.inquiry, &acceptance.firm);
        self.put(Kind::Ledger, key, acceptance_record::encode(acceptance)?);
        Ok(())
    }
}

/// Notes what a firm says that became of an inquiry.
pub struct NoteOutcome {
    /// The inquiry.
    pub inquiry: Uuid,
    /// The firm.
    pub firm: FirmId,
    /// What became of it.
    pub outcome: Outcome,
}

impl Operation for NoteOutcome {
    type Reply = Result<(), OutcomeRefusal>;

    fn wants(&self, wanted: &mut Wanted) {
        wanted.add(Kind::Ledger, acceptance_key(self.inquiry, &self.firm));
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError> {
        let key = acceptance_key(self.inquiry, &self.firm);
        let Some(value) = tx.get(Kind::Ledger, &key)? else {
            return Ok(Err(OutcomeRefusal::Unknown));
        };
        let mut acceptance = reads::acceptance(&key, &value)?;
        if reads::closing(tx, Month::of(acceptance.at))?.is_some() {
            return Ok(Err(OutcomeRefusal::Closed));
        }
        if !acceptance.is_changeable(tx.now) {
            return Ok(Err(OutcomeRefusal::TooLate));
        }
        if acceptance.outcome != self.outcome {
            acceptance.outcome = self.outcome;
            tx.save_acceptance(&acceptance)?;
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

    fn wants(&self, wanted: &mut Wanted) {
        wanted.add(Kind::Closings, month_key(self.month));
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError> {
        let now = tx.now;
        if !self.month.is_over(now) {
            return Ok(Err(ClosingRefusal::NotOver(self.month)));
        }
        if reads::closing(tx, self.month)?.is_none() {
            let closing = Closing {
                month: self.month,
                at: now,
                vat: self.vat,
            };
            tx.put(Kind::Closings, month_key(self.month), encode_closing(&closing));
        }
        Ok(Ok(()))
    }
}
