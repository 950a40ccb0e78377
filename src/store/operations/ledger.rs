//! The ledger: acceptances, their outcomes, and the closing of months.

use uuid::Uuid;

use crate::domain::commission::{Outcome, Percent};
use crate::domain::ledger::{Acceptance, Closing, ClosingRefusal, Month, OutcomeRefusal};
use crate::domain::matching::FirmId;
use crate::store::map::{EngineError, EntryKind, View};
use crate::store::tx::Tx;
use crate::store::values::{acceptance_key, decode_billed, encode_billed, month_key};
use crate::store::{Store, Unavailable, reads};

impl Store {
    /// The acceptances of an inquiry, each with whether its month is closed. They remain when the inquiry is gone.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn acceptances(&self, inquiry: Uuid) -> Result<Vec<(Acceptance, bool)>, Unavailable> {
        let find = move |view: &dyn View| {
            let acceptances = reads::acceptances_of(view, inquiry)?.into_iter();
            let with_end = acceptances.map(|acceptance| {
                let is_closed = reads::closing(view, Month::of(acceptance.at))?.is_some();
                Ok((acceptance, is_closed))
            });
            with_end.collect::<Result<_, EngineError>>()
        };
        self.read(find).await
    }

    /// The acceptances of a month, and its closing if it is closed.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn ledger(&self, month: Month) -> Result<(Option<Closing>, Vec<Acceptance>), Unavailable> {
        // In this order: once a month is closed, its acceptances no longer change.
        self.read(move |view| Ok((reads::closing(view, month)?, reads::acceptances_in(view, month)?)))
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
    ) -> Result<Result<(), OutcomeRefusal>, Unavailable> {
        self.write(move |tx| tx.note_outcome(inquiry, &firm, outcome))
            .await
    }

    /// Closes a month, which freezes its figures; a closed one keeps its rate of value added tax.
    ///
    /// # Errors
    /// When the store cannot be written; the inner error tells why it was refused.
    pub async fn close_month(
        &self,
        month: Month,
        vat: Percent,
    ) -> Result<Result<(), ClosingRefusal>, Unavailable> {
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
        };
        // A clock that was set back must not add to a month already billed.
        while reads::closing(self, Month::of(acceptance.at))?.is_some() {
            acceptance.at = Month::of(acceptance.at).next().begins();
        }
        self.save_acceptance(&acceptance);
        Ok(())
    }

    fn save_acceptance(&mut self, acceptance: &Acceptance) {
        let key = acceptance_key(acceptance.inquiry, &acceptance.firm);
        self.put(EntryKind::Ledger, key, encode_billed(acceptance));
    }

    /// Records the outcome of an inquiry as reported by a firm.
    ///
    /// # Errors
    /// When the store cannot be read; the inner error tells why the outcome was refused.
    pub fn note_outcome(
        &mut self,
        inquiry: Uuid,
        firm: &FirmId,
        outcome: Outcome,
    ) -> Result<Result<(), OutcomeRefusal>, EngineError> {
        let Some(value) = self.get(EntryKind::Ledger, &acceptance_key(inquiry, firm))? else {
            return Ok(Err(OutcomeRefusal::Unknown));
        };
        let mut acceptance: Acceptance = decode_billed(&value, "an acceptance cannot be read")?;
        if reads::closing(self, Month::of(acceptance.at))?.is_some() {
            return Ok(Err(OutcomeRefusal::Closed));
        }
        if !acceptance.is_changeable(self.now) {
            return Ok(Err(OutcomeRefusal::TooLate));
        }
        if acceptance.outcome != outcome {
            acceptance.outcome = outcome;
            self.save_acceptance(&acceptance);
        }
        Ok(Ok(()))
    }

    /// Closes a month, which freezes its figures. A closed one stays as it is.
    ///
    /// # Errors
    /// As for [`Self::note_outcome`].
    pub fn close_month(
        &mut self,
        month: Month,
        vat: Percent,
    ) -> Result<Result<(), ClosingRefusal>, EngineError> {
        let at = self.now;
        if !month.is_over(at) {
            return Ok(Err(ClosingRefusal::NotOver(month)));
        }
        if reads::closing(self, month)?.is_none() {
            let closing = Closing { month, at, vat };
            self.put(EntryKind::Closings, month_key(month), encode_billed(&closing));
        }
        Ok(Ok(()))
    }
}
