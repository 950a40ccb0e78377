//! Firms and what they owe, as commands, pages and the outbox ask for it.

use jiff::SignedDuration;
use uuid::Uuid;

use super::error::{Unavailable, UpdateError};
use super::facts::PauseEnd;
use super::map::{EngineError, View};
use super::{Store, TimeRange, reads};
use crate::domain::commission::{Outcome, Percent};
use crate::domain::inquiry::CREDIBLE;
use crate::domain::ledger::{Acceptance, Closing, ClosingRefusal, Month, OutcomeRefusal};
use crate::domain::matching::FirmId;
use crate::domain::referral::{Answer, Change, InquiryRecord, Pausing, Status};

/// How old an inquiry may be that is matched again when firms change: whoever has waited longer has found somebody else.
const MATCHED_AGAIN: SignedDuration = SignedDuration::from_hours(7 * 24);

impl Store {
    /// Pauses a firm until some time, or without an end; returns whether there is such a firm, as far as is known.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn pause(&self, firm: FirmId, end: PauseEnd) -> Result<bool, Unavailable> {
        self.write(move |tx| tx.pause(&firm, Some(end))).await
    }

    /// Has a firm asked again.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn resume(&self, firm: FirmId) -> Result<(), Unavailable> {
        self.write(move |tx| tx.pause(&firm, None)).await.map(drop)
    }

    /// Passes on what a paused firm was asked and has not answered; returns how many inquiries those were.
    ///
    /// # Errors
    /// While the store cannot be read or written. Some may be passed on by then.
    pub async fn pass_on(&self, firm: &FirmId, pausing: Pausing) -> Result<u64, Unavailable> {
        let is_open = |record: &InquiryRecord| {
            let mut asked = record.referral.asked.iter();
            asked.any(|asked| asked.firm == *firm && asked.is_passed_on(pausing))
        };
        self.change_all(
            TimeRange::default(),
            is_open,
            &Change::Pass(firm.clone(), pausing),
        )
        .await
    }

    /// Matches inquiries of the last days again that have a free place and wait for nobody: firms have changed. Returns how many were
    /// looked at.
    ///
    /// # Errors
    /// While the store cannot be read or written. Some may be matched by then.
    pub async fn rematch(&self) -> Result<u64, Unavailable> {
        // What was there before a restore waits for the operator.
        let held_since = self.facts().await?.held_since;
        let since = self.now().checked_sub(MATCHED_AGAIN).ok();
        let is_waiting = |record: &InquiryRecord| {
            let is_held = record.received_at() < held_since;
            let mut asked = record.referral.asked.iter();
            !is_held
                && record.referral.status == Status::Active
                && record.received_at() >= since
                && !asked.any(|asked| asked.answer == Answer::Pending)
        };
        // A browser may have sent one long after it was made.
        let made = since.and_then(|since| since.checked_sub(CREDIBLE).ok());
        let range = TimeRange {
            since: made,
            until: None,
        };
        self.change_all(range, is_waiting, &Change::Rematch).await
    }

    /// Changes all inquiries of a range that are meant; returns how many.
    async fn change_all(
        &self,
        range: TimeRange,
        is_meant: impl Fn(&InquiryRecord) -> bool,
        change: &Change,
    ) -> Result<u64, Unavailable> {
        let mut records = self.records(range).await?;
        let mut count = 0;
        while let Some(record) = records.next().await? {
            if record.inquiry.is_none() || !is_meant(&record) {
                continue;
            }
            match self.update(record.id, change.clone()).await {
                Ok(_) => count += 1,
                // It was withdrawn meanwhile.
                Err(UpdateError::Refused(_)) => {}
                Err(UpdateError::Unavailable) => return Err(Unavailable),
            }
        }
        Ok(count)
    }

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
