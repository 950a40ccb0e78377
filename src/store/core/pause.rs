//! Pausing firms at the operator's word. Until when each is paused stands among the facts about the store.

use std::collections::BTreeMap;

use super::fact::PAUSE_PREFIX;
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::matching::FirmId;
use crate::referral::HandlingPolicy;
use crate::store::facts::PauseEnd;
use crate::store::time::{from_millis, millis};

/// What stands for a pause without an end: the largest number that both engines keep, and no time.
const WITHOUT_END: u64 = i64::MAX.unsigned_abs();

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

    fn read_set(&self, reads: &mut ReadSet, _: &HandlingPolicy) {
        reads.locks = true;
        reads.turns = true;
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<bool, ApplyError> {
        let matching = &transaction.state.matching;
        if matching.is_serving && matching.rotation.get(&self.firm).is_none() && self.pause.is_some() {
            return Ok(false);
        }
        let end = self.pause.map(|end| end.map_or(WITHOUT_END, millis));
        transaction.note(format!("{PAUSE_PREFIX}{}", self.firm), end);
        transaction.use_pauses();
        Ok(true)
    }
}

/// Returns until when firms are paused, by what facts say; `None` for until they are resumed.
pub fn pauses(noted: &BTreeMap<String, u64>) -> BTreeMap<FirmId, PauseEnd> {
    let pauses = noted.iter().filter_map(|(name, end)| {
        let firm = FirmId::parse(name.strip_prefix(PAUSE_PREFIX)?).ok()?;
        let end = (*end != WITHOUT_END).then_some(*end);
        Some((firm, end.and_then(from_millis)))
    });
    pauses.collect()
}

impl Transaction<'_> {
    /// Has firms chosen with regard to the pauses that were read.
    pub fn use_pauses(&mut self) {
        let paused = pauses(&self.rows.facts);
        self.state.matching.rotation.set_paused(paused);
    }
}
