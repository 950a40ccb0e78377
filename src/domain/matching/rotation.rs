//! The firms and whose turn it is.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::Arc;

use jiff::Timestamp;

use super::firm::Firm;
use super::firm::FirmId;
use super::request_history::{RequestHistory, is_recent};
use super::unreachable::Unreachable;
use crate::domain::inquiry::Answers;

/// The firms with their recent requests. The store's writer, which stores requests, owns it, so that no firm's turn
/// is taken twice.
#[derive(Default)]
pub struct FirmRotation {
    /// The firms of the file. What is remembered of those that are gone stays: they may come back.
    pub firms: Arc<[Firm]>,
    /// Of every firm that was ever asked, also of those that are not in the file now.
    history: HashMap<FirmId, RequestHistory>,
    /// The number of the last ask.
    last: u64,
    /// Who was asked since the last call of [`Self::take_asked`].
    asked: Vec<FirmId>,
    /// The firms that the operator has paused, and until when; `None` for until they are resumed.
    pub paused: BTreeMap<FirmId, Option<Timestamp>>,
    /// The firms whose address was permanently refused.
    pub unreachable: BTreeMap<FirmId, Unreachable>,
    /// The one that was refused first since the last call of [`Self::take_refused`].
    refused: Option<FirmId>,
}

impl FirmRotation {
    /// Builds the rotation of the firms of a file, and of what the store remembers of their asks.
    pub fn new(firms: Arc<[Firm]>, history: impl IntoIterator<Item = (FirmId, RequestHistory)>) -> Self {
        let history: HashMap<_, _> = history.into_iter().collect();
        let last = history
            .values()
            .map(RequestHistory::last)
            .max()
            .unwrap_or_default();
        Self {
            firms,
            history,
            last,
            ..Self::default()
        }
    }

    /// Whether a firm is paused, by the file or by the operator.
    pub fn is_paused(&self, id: &FirmId, now: Timestamp) -> bool {
        self.is_paused_by_operator(id, now) || self.get(id).is_some_and(|firm| firm.paused)
    }

    fn is_paused_by_operator(&self, id: &FirmId, now: Timestamp) -> bool {
        let until = self.paused.get(id);
        until.is_some_and(|until| until.is_none_or(|until| now < until))
    }

    /// Returns since when a firm of the file cannot be reached.
    pub fn unreachable_since(&self, id: &FirmId) -> Option<Timestamp> {
        self.unreachable.get(id)?.since(self.get(id)?)
    }

    /// Notes that an address was refused; returns whether it is that of the firm and was not refused before.
    pub fn refuse(&mut self, id: &FirmId, address: &str, now: Timestamp) -> bool {
        let refused = Unreachable::new(address, now);
        let is_own = self.get(id).is_some_and(|firm| refused.since(firm).is_some());
        let is_first = is_own && self.unreachable_since(id).is_none();
        if is_first {
            self.unreachable.insert(id.clone(), refused);
            self.refused = Some(id.clone());
        }
        is_first
    }

    /// Returns the firm that [`Self::refuse`] has noted since the last call, to be stored in the same transaction.
    pub fn take_refused(&mut self) -> Option<(FirmId, Unreachable)> {
        let id = self.refused.take()?;
        let refused = *self.unreachable.get(&id)?;
        Some((id, refused))
    }

    /// Returns the firm with that id; `None` if it is not in the file.
    pub fn get(&self, id: &FirmId) -> Option<&Firm> {
        Firm::find(&self.firms, id)
    }

    /// Chooses the next firms for an inquiry, `count` at most, and remembers that they are asked now. Those that were
    /// asked least recently come first, never asked before all others, then the order of the file. Firms in `already`
    /// are passed over.
    ///
    /// If the asks cannot be stored, rebuild the rotation from the store.
    pub fn ask(
        &mut self,
        answers: &Answers,
        already: &[FirmId],
        count: usize,
        now: Timestamp,
    ) -> Vec<FirmId> {
        let chosen = self.preview(answers, already, count, now);
        for firm in &chosen {
            self.ask_one(firm, now);
        }
        chosen
    }

    /// Remembers that a firm is asked now, whether or not it would be chosen; returns whether there is such a firm.
    pub fn ask_one(&mut self, id: &FirmId, now: Timestamp) -> bool {
        let Some(per_week) = self.get(id).map(|firm| firm.per_week) else {
            return false;
        };
        self.last = self.last.saturating_add(1);
        let asks = self.history.entry(id.clone()).or_default();
        asks.add(self.last, now, per_week);
        self.asked.push(id.clone());
        true
    }

    /// Returns the firms that [`Self::ask`] would choose, and changes nothing.
    pub fn preview(
        &self,
        answers: &Answers,
        already: &[FirmId],
        count: usize,
        now: Timestamp,
    ) -> Vec<FirmId> {
        let may_be_asked = |firm: &&Firm| {
            let deciding = self.asks(&firm.id).and_then(|asks| asks.deciding(firm.per_week));
            let refused = self.unreachable.get(&firm.id);
            firm.takes(answers)
                && !already.contains(&firm.id)
                && !self.is_paused_by_operator(&firm.id, now)
                && refused.is_none_or(|refused| refused.since(firm).is_none())
                && deciding.is_none_or(|time| !is_recent(time, now))
        };
        let mut firms: Vec<_> = self.firms.iter().filter(may_be_asked).collect();
        // Stable: the order of the file decides among firms that were never asked.
        firms.sort_by_key(|firm| self.asks(&firm.id).map(RequestHistory::last));
        firms.iter().take(count).map(|firm| firm.id.clone()).collect()
    }

    /// Returns who was asked since the last call, to be stored in the transaction that stores what follows from it.
    pub fn take_asked(&mut self) -> Vec<FirmId> {
        mem::take(&mut self.asked)
    }

    /// Returns what is remembered of a firm; `None` if it was never asked.
    pub fn asks(&self, id: &FirmId) -> Option<&RequestHistory> {
        self.history.get(id)
    }
}
