//! Pausing firms at the operator's word, and firms that cannot be reached. Both stand among the facts about the store.

use std::collections::BTreeMap;

use super::fact::{PAUSE_PREFIX, UNREACHABLE_PREFIX};
use super::operation::{ApplyError, Operation};
use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::matching::{FirmId, Unreachable};
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
        if end.is_none() {
            transaction.forget_refusal(&self.firm);
        }
        transaction.use_facts_about_firms();
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

/// Returns since when addresses of firms are refused, by what facts say.
pub fn unreachable(noted: &BTreeMap<String, u64>) -> BTreeMap<FirmId, Unreachable> {
    let refused = noted.iter().filter_map(|(name, since)| {
        let (firm, address) = name.strip_prefix(UNREACHABLE_PREFIX)?.split_once(':')?;
        let refused = Unreachable {
            since: from_millis(*since)?,
            address: u64::from_str_radix(address, 16).ok()?,
        };
        Some((FirmId::parse(firm).ok()?, refused))
    });
    refused.collect()
}

impl Transaction<'_> {
    /// Has firms chosen with regard to the pauses and refused addresses that were read.
    pub fn use_facts_about_firms(&mut self) {
        let paused = pauses(&self.rows.facts);
        self.state.matching.rotation.set_paused(paused);
        let unreachable = unreachable(&self.rows.facts);
        self.state.matching.rotation.set_unreachable(unreachable);
    }

    /// Notes the refusal of a firm's address that a change has brought, if it has.
    pub fn note_refusal(&mut self) {
        if let Some((firm, refused)) = self.state.matching.rotation.take_refused() {
            self.forget_refusal(&firm);
            let name = format!("{UNREACHABLE_PREFIX}{firm}:{:016x}", refused.address);
            self.note(name, Some(millis(refused.since)));
        }
    }

    fn forget_refusal(&mut self, firm: &FirmId) {
        let prefix = format!("{UNREACHABLE_PREFIX}{firm}:");
        let names = self.rows.facts.keys().filter(|name| name.starts_with(&prefix));
        for name in names.cloned().collect::<Vec<_>>() {
            self.note(name, None);
        }
    }
}
