//! Pausing firms at the operator's word, and firms that cannot be reached. Both stand among the facts about the store.

use super::Operation;
use crate::domain::matching::FirmId;
use crate::store::facts::PauseEnd;
use crate::store::facts::WITHOUT_END;
use crate::store::map::{EngineError, Kind};
use crate::store::time::millis;
use crate::store::tx::Tx;
use crate::store::values::fact::{PAUSE_PREFIX, UNREACHABLE_PREFIX};

/// Pauses a firm, or resumes it.
pub struct Pause {
    /// The firm.
    pub firm: FirmId,
    /// Whether it is paused from now on, and until when; `None` resumes it.
    pub pause: Option<PauseEnd>,
}

impl Operation for Pause {
    /// Whether there is such a firm, as far as the store knows.
    type Reply = bool;

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<bool, EngineError> {
        let matching = &tx.memory.matching;
        if matching.is_serving && matching.rotation.get(&self.firm).is_none() && self.pause.is_some() {
            return Ok(false);
        }
        let end = self.pause.map(|end| end.map_or(WITHOUT_END, millis));
        tx.note(format!("{PAUSE_PREFIX}{}", self.firm), end);
        if end.is_none() {
            tx.forget_refusal(&self.firm)?;
        }
        let facts = tx.facts()?;
        tx.memory.use_facts_about_firms(&facts);
        Ok(true)
    }
}

impl Tx<'_> {
    /// Notes the refusal of a firm's address that a change has brought, if it has.
    pub(super) fn note_refusal(&mut self) -> Result<(), EngineError> {
        if let Some((firm, refused)) = self.memory.matching.rotation.take_refused() {
            self.forget_refusal(&firm)?;
            let name = format!("{UNREACHABLE_PREFIX}{firm}:{:016x}", refused.address);
            self.note(name, Some(millis(refused.since)));
        }
        Ok(())
    }

    fn forget_refusal(&mut self, firm: &FirmId) -> Result<(), EngineError> {
        let prefix = format!("{UNREACHABLE_PREFIX}{firm}:");
        self.remove_all(Kind::Facts, prefix.as_bytes()).map(drop)
    }
}
