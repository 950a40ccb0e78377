//! Pausing firms at the operator's word, and firms that cannot be reached. Both stand among the facts about the store.

use crate::domain::matching::FirmId;
use crate::store::facts::PauseEnd;
use crate::store::facts::WITHOUT_END;
use crate::store::map::{EngineError, Kind};
use crate::store::reads;
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::fact::{PAUSE_PREFIX, UNREACHABLE_PREFIX};

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
        self.remove_all(Kind::Facts, prefix.as_bytes())
    }
}
