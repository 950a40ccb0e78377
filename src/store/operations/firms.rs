//! Firms that are paused at the operator's word, or cannot be reached; both stand among the facts about the store.

use std::collections::HashMap;

use crate::domain::matching::{FirmId, RequestHistory};
use crate::store::facts::{PAUSE_PREFIX, PauseEnd, UNREACHABLE_PREFIX, WITHOUT_END};
use crate::store::map::{EngineError, EntryKind};
use crate::store::tx::Tx;
use crate::store::values::millis;
use crate::store::{Store, Unavailable, reads};

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
