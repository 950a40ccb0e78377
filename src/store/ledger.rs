//! The ledger, as the rest of the program asks for it.

use uuid::Uuid;

use super::error::Unavailable;
use super::map::{EngineError, View};
use super::{Store, reads};
use crate::domain::commission::{Outcome, Percent};
use crate::domain::ledger::{Acceptance, Closing, ClosingRefusal, Month, OutcomeRefusal};
use crate::domain::matching::FirmId;

impl Store {
    /// Returns what the ledger has of an inquiry, each with whether its month is closed. It stays when the inquiry is gone.
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

    /// Returns the acceptances of a month, and its closing if it is closed.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn ledger(&self, month: Month) -> Result<(Option<Closing>, Vec<Acceptance>), Unavailable> {
        // In this order: of a month that is closed, the acceptances are those that stay.
        self.read(move |view| Ok((reads::closing(view, month)?, reads::acceptances_in(view, month)?)))
            .await
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
        self.write(move |tx| tx.note_outcome(inquiry, &firm, outcome))
            .await
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
        self.write(move |tx| tx.close_month(month, vat)).await
    }
}
