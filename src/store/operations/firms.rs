//! Firms that are paused by the operator or unreachable; both are facts about the store.

use std::collections::HashMap;

use crate::domain::matching::{FirmId, Pause, RequestHistory};
use crate::store::facts::{PAUSE_FROM_PREFIX, PAUSE_PREFIX, UNREACHABLE_PREFIX, WITHOUT_END};
use crate::store::map::{EngineError, EntryKind};
use crate::store::tx::Tx;
use crate::store::values::millis;
use crate::store::{Store, Unavailable, reads};

impl Store {
    /// Pauses a firm; returns whether the firm is known.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn pause(&self, firm: FirmId, pause: Pause) -> Result<bool, Unavailable> {
        self.write(move |tx| tx.pause(&firm, Some(pause))).await
    }

    /// Ends a firm's pause.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn resume(&self, firm: FirmId) -> Result<(), Unavailable> {
        self.write(move |tx| tx.pause(&firm, None)).await.map(drop)
    }

    /// The history of requests to each firm, configured or not.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn asks(&self) -> Result<HashMap<FirmId, RequestHistory>, Unavailable> {
        self.read(|view| reads::asks(view)).await
    }
}

impl Tx<'_> {
    /// Pauses a firm, or ends its pause (`None`); returns whether the store knows the firm.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn pause(&mut self, firm: &FirmId, pause: Option<Pause>) -> Result<bool, EngineError> {
        let matching = &self.cache.matching;
        if matching.is_serving && matching.rotation.get(firm).is_none() && pause.is_some() {
            return Ok(false);
        }
        let end = pause.map(|pause| pause.until.map_or(WITHOUT_END, millis));
        let from = pause.and_then(|pause| pause.from);
        self.note(format!("{PAUSE_PREFIX}{firm}"), end);
        self.note(format!("{PAUSE_FROM_PREFIX}{firm}"), from.map(millis));
        if end.is_none() {
            self.forget_refusal(firm)?;
        }
        let facts = reads::facts(self)?;
        self.cache.use_facts_about_firms(&facts);
        Ok(true)
    }

    /// Records that a firm's address was refused, if the change found that out.
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
