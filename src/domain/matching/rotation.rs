//! The order in which firms are asked.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::firm::Firm;
use super::firm::FirmId;
use super::request_history::{RequestHistory, is_recent};
use super::unreachable::Unreachable;
use crate::domain::inquiry::Answers;

/// A pause of a firm by the operator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// When it begins; `None` if it began when it was ordered.
    pub from: Option<Timestamp>,
    /// When it ends; `None` if it lasts until the firm is resumed.
    pub until: Option<Timestamp>,
}

impl Pause {
    /// Whether the firm is paused at a time.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= now) && !self.is_over(now)
    }

    /// Whether it has ended by a time.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

/// The firms with their recent requests. It belongs to the store's writer, which also stores requests, so that no turn is used
/// twice.
#[derive(Default)]
pub struct FirmRotation {
    /// The configured firms. The history of removed firms is kept, since they may return.
    pub firms: Arc<[Firm]>,
    /// The history of every firm that was ever asked, including firms no longer configured.
    history: HashMap<FirmId, RequestHistory>,
    /// The number of the last request.
    last: u64,
    /// The firms asked since the last call of [`Self::take_asked`].
    asked: Vec<FirmId>,
    /// The firms paused by the operator, now or later.
    pub paused: BTreeMap<FirmId, Pause>,
    /// The firms whose address was permanently refused.
    pub unreachable: BTreeMap<FirmId, Unreachable>,
    /// The firm refused for the first time since the last call of [`Self::take_refused`].
    refused: Option<(FirmId, Unreachable)>,
}

impl FirmRotation {
    /// Creates the rotation from the configured firms and the stored history.
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
        self.paused.get(id).is_some_and(|pause| pause.holds(now))
    }

    /// Since when a configured firm has been unreachable; `None` if it is reachable.
    pub fn unreachable_since(&self, id: &FirmId) -> Option<Timestamp> {
        self.unreachable.get(id)?.since(self.get(id)?)
    }

    /// Records that an address was refused; returns whether it is the firm's address and was not refused before.
    pub fn refuse(&mut self, id: &FirmId, address: &str, now: Timestamp) -> bool {
        let refused = Unreachable::new(address, now);
        let is_own = self.get(id).is_some_and(|firm| refused.since(firm).is_some());
        let is_first = is_own && self.unreachable_since(id).is_none();
        if is_first {
            self.unreachable.insert(id.clone(), refused);
            self.refused = Some((id.clone(), refused));
        }
        is_first
    }

    /// The firm recorded by [`Self::refuse`] since the last call, to be stored in the same transaction.
    pub fn take_refused(&mut self) -> Option<(FirmId, Unreachable)> {
        self.refused.take()
    }

    /// The firm with this id; `None` if it is not configured.
    pub fn get(&self, id: &FirmId) -> Option<&Firm> {
        Firm::find(&self.firms, id)
    }

    /// Selects up to `count` firms to ask next and records that they are asked now. Firms that were never asked come first, in the
    /// order of the file, then those asked least recently. Firms in `already` are skipped.
    ///
    /// If the requests cannot be stored, rebuild the rotation from the store.
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

    /// Records that a firm is asked now, even if it would not be selected; returns whether it is configured.
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

    /// The firms that [`Self::ask`] would select, without recording anything.
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
        // The sort is stable, so firms that were never asked stay in the order of the file.
        firms.sort_by_key(|firm| self.asks(&firm.id).map(RequestHistory::last));
        firms.iter().take(count).map(|firm| firm.id.clone()).collect()
    }

    /// The firms asked since the last call, to be stored in the same transaction as the resulting changes.
    pub fn take_asked(&mut self) -> Vec<FirmId> {
        mem::take(&mut self.asked)
    }

    /// The request history of a firm; `None` if it was never asked.
    pub fn asks(&self, id: &FirmId) -> Option<&RequestHistory> {
        self.history.get(id)
    }
}
