//! Firms that are paused at the operator's word, or cannot be reached; both stand among the facts about the store. And inquiries that are
//! matched again, because firms have changed.

use std::collections::HashMap;

use jiff::SignedDuration;

use crate::domain::inquiry::CREDIBLE;
use crate::domain::matching::{FirmId, RequestHistory};
use crate::domain::referral::{Answer, Change, InquiryRecord, Pausing, Status};
use crate::store::facts::{PAUSE_PREFIX, PauseEnd, UNREACHABLE_PREFIX, WITHOUT_END};
use crate::store::map::{EngineError, EntryKind};
use crate::store::tx::Tx;
use crate::store::values::millis;
use crate::store::{Store, TimeRange, Unavailable, UpdateError, reads};

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
                Err(UpdateError::Unavailable(_)) => return Err(Unavailable),
            }
        }
        Ok(count)
    }

    /// Returns what is remembered of each firm's asks, whether or not it is configured now.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, RequestHistory>, Unavailable> {
        self.read(|view| reads::asks(view)).await
    }
}

impl Tx<'_> {
    /// Pauses a firm until some time, or resumes it (`None`); returns whether there is such a firm, as far as the store knows.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn pause(&mut self, firm: &FirmId, pause: Option<PauseEnd>) -> Result<bool, EngineError> {
        let matching = &self.cache.matching;
        if matching.is_serving && matching.rotation.get(firm).is_none() && pause.is_some() {
            return Ok(false);
        }
        let end = pause.map(|end| end.map_or(WITHOUT_END, millis));
        self.note(format!("{PAUSE_PREFIX}{firm}"), end);
        if end.is_none() {
            self.forget_refusal(firm)?;
        }
        let facts = reads::facts(self)?;
        self.cache.use_facts_about_firms(&facts);
        Ok(true)
    }

    /// Notes the refusal of a firm's address that a change has brought, if it has.
    pub(super) fn note_refusal(&mut self) -> Result<(), EngineError> {
        if let Some((firm, refused)) = self.cache.matching.rotation.take_refused() {
            self.forget_refusal(&firm)?;
            let name = format!("{UNREACHABLE_PREFIX}{firm}:{:016x}", refused.address);
            self.note(name, Some(millis(refused.since)));
        }
        Ok(())
    }

    fn forget_refusal(&mut self, firm: &FirmId) -> Result<(), EngineError> {
        let prefix = format!("{UNREACHABLE_PREFIX}{firm}:");
        self.remove_all(EntryKind::Facts, prefix.as_bytes())
    }
}
