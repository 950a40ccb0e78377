//! The ledger, as the rest of the program asks for it.

use uuid::Uuid;

use super::Store;
use super::core::{CloseMonth, NoteOutcome};
use super::error::Unavailable;
use crate::commission::{Outcome, Percent};
use crate::ledger::{Acceptance, Closing, ClosingRefusal, Month, OutcomeRefusal};
use crate::matching::FirmId;

impl Store {
    /// Returns what the ledger has of an inquiry, each with whether its month is closed. It stays when the inquiry is gone.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn acceptances(&self, inquiry: Uuid) -> Result<Vec<(Acceptance, bool)>, Unavailable> {
        let found: Result<_, Unavailable> = ask!(self, |engine| async {
            Ok((engine.acceptances_of(inquiry).await?, engine.closings().await?))
        });
        let (acceptances, closings) = found?;
        let is_closed = |acceptance: &Acceptance| closings.contains_key(&Month::of(acceptance.at));
        let with_end = acceptances.into_iter().map(|acceptance| {
            let is_closed = is_closed(&acceptance);
            (acceptance, is_closed)
        });
        Ok(with_end.collect())
    }

    /// Returns the acceptances of a month, and its closing if it is closed.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn ledger(&self, month: Month) -> Result<(Option<Closing>, Vec<Acceptance>), Unavailable> {
        // In this order: of a month that is closed, the acceptances are those that stay.
        ask!(self, |engine| async {
            let closing = engine.closings().await?.remove(&month);
            Ok((closing, engine.acceptances_in(month).await?))
        })
    }

    /// Notes what a firm says that became of an inquiry.
    ///
    /// # Errors
    /// When the store cannot be written; the inner error says why it was refused.
    pub async fn note_outcome(
        &self,
        inquiry: Uuid,
        firm: FirmId,
        outcome: Outcome,
    ) -> Result<Result<(), OutcomeRefusal>, Unavailable> {
        let key = (inquiry, firm);
        self.write(NoteOutcome { key, outcome }).await
    }

    /// Closes a month, whose figures then stay as they are; one that is closed keeps its rate of value added tax.
    ///
    /// # Errors
    /// When the store cannot be written; the inner error says why it was refused.
    pub async fn close_month(
        &self,
        month: Month,
        vat: Percent,
    ) -> Result<Result<(), ClosingRefusal>, Unavailable> {
        self.write(CloseMonth { month, vat }).await
    }
}
