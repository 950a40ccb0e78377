//! The firms and whose turn it is.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use jiff::Timestamp;
use lru::LruCache;

use super::asks::{Asks, is_recent};
use super::firm::Firm;
use super::firm_id::FirmId;
use super::index::Index;
use super::new_asks::NewAsks;
use crate::inquiry::Answers;

/// The firms with what is remembered of their asks. Whoever writes asks to the store owns it, so that no firm's turn
/// is taken twice.
///
/// A choice costs little however many firms there are: sets of firms say who takes an inquiry, and a list in the order
/// of the last asks is walked until enough of them are found. Both know a firm by its place in the file.
pub struct Roster {
    firms: Arc<[Firm]>,
    places: HashMap<FirmId, usize>,
    index: Index,
    /// Each firm with the ask that decides whether it is at its limit; the firm that was asked last is the most recently
    /// used one.
    turns: LruCache<usize, Option<i64>>,
    /// Of every firm that was ever asked, also of those that are not in the file now.
    history: HashMap<FirmId, Asks>,
    /// The number of the last ask.
    last: u64,
    new: NewAsks,
}

impl Roster {
    /// Builds the roster of the firms of a file, and of what the store remembers of their asks.
    pub fn new(firms: Arc<[Firm]>, history: impl IntoIterator<Item = (FirmId, Asks)>) -> Self {
        let history: HashMap<_, _> = history.into_iter().collect();
        let last = history.values().map(Asks::last).max().unwrap_or_default();
        let mut roster = Self {
            firms: Arc::new([]),
            places: HashMap::new(),
            index: Index::new(&[]),
            turns: LruCache::unbounded(),
            history,
            last,
            new: NewAsks::none(last + 1),
        };
        roster.replace_firms(firms);
        roster
    }

    /// Replaces the firms. What is remembered stays, also of firms that are gone: they may come back.
    pub fn replace_firms(&mut self, firms: Arc<[Firm]>) {
        self.places.clear();
        for (place, firm) in firms.iter().enumerate() {
            self.places.entry(firm.id.clone()).or_insert(place);
        }
        let mut turns: Vec<_> = self
            .places
            .iter()
            .map(|(id, &place)| {
                let asks = self.history.get(id);
                let per_week = firms.get(place).and_then(|firm| firm.per_week);
                let deciding = asks.and_then(|asks| asks.deciding(per_week));
                (asks.map(Asks::last), place, deciding)
            })
            .collect();
        turns.sort_unstable();
        self.turns.clear();
        for (_, place, deciding) in turns {
            self.turns.push(place, deciding);
        }
        self.index = Index::new(&firms);
        self.firms = firms;
    }

    /// Returns the number of the last ask.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Takes over what others have stored since: what is remembered of the firms that were asked behind [`Self::last`].
    pub fn learn(&mut self, asks: impl IntoIterator<Item = (FirmId, Asks)>) {
        let mut asks: Vec<_> = asks.into_iter().collect();
        asks.sort_unstable_by_key(|(_, asks)| asks.last());
        for (firm, asks) in asks {
            self.last = self.last.max(asks.last());
            if let Some(&place) = self.places.get(&firm) {
                let per_week = self.firms.get(place).and_then(|firm| firm.per_week);
                self.turns.push(place, asks.deciding(per_week));
            }
            self.history.insert(firm, asks);
        }
        self.new = NewAsks::none(self.last.saturating_add(1));
    }

    /// Returns the firms in the order of the file.
    pub fn firms(&self) -> &[Firm] {
        &self.firms
    }

    /// Returns the firm with that id; `None` if it is not in the file.
    pub fn get(&self, id: &FirmId) -> Option<&Firm> {
        self.firms.get(*self.places.get(id)?)
    }

    /// Chooses the next firms for an inquiry, `count` at most, and remembers that they are asked now. Those that were
    /// asked least recently come first, never asked before all others, then the order of the file. Firms in `already`
    /// are passed over.
    ///
    /// If the asks cannot be stored, build the roster anew from the store.
    pub fn ask(
        &mut self,
        answers: &Answers,
        already: &[FirmId],
        count: usize,
        now: Timestamp,
    ) -> Vec<FirmId> {
        let chosen = self.choose(answers, already, count, now);
        for &place in &chosen {
            self.remember(place, now);
        }
        self.ids(&chosen)
    }

    /// Returns the firms that [`Self::ask`] would choose, and changes nothing.
    pub fn preview(
        &self,
        answers: &Answers,
        already: &[FirmId],
        count: usize,
        now: Timestamp,
    ) -> Vec<FirmId> {
        self.ids(&self.choose(answers, already, count, now))
    }

    /// Returns the asks since the last call, to be logged in the transaction that stores what follows from them.
    pub fn take_new(&mut self) -> NewAsks {
        mem::replace(&mut self.new, NewAsks::none(self.last.saturating_add(1)))
    }

    /// Returns what is remembered of a firm; `None` if it was never asked.
    pub fn asks(&self, id: &FirmId) -> Option<&Asks> {
        self.history.get(id)
    }

    fn choose(&self, answers: &Answers, already: &[FirmId], count: usize, now: Timestamp) -> Vec<usize> {
        let mut matching = self.index.matching(answers);
        for place in already.iter().filter_map(|id| self.places.get(id)) {
            matching.remove(*place);
        }
        self.next(&matching, now).take(count).collect()
    }

    /// Returns those of a set that are not at their limit, in the order of their turns.
    fn next<'a>(&'a self, matching: &'a FixedBitSet, now: Timestamp) -> impl Iterator<Item = usize> + 'a {
        let in_turn = self
            .turns
            .iter()
            .rev()
            .filter(|&(&place, _)| matching.contains(place));
        in_turn
            // No firm is behind the last of the set.
            .take(matching.count_ones(..))
            .filter(move |&(_, deciding)| !deciding.is_some_and(|time| is_recent(time, now)))
            .map(|(&place, _)| place)
    }

    fn remember(&mut self, place: usize, now: Timestamp) {
        let Some(firm) = self.firms.get(place) else {
            return;
        };
        self.last = self.last.saturating_add(1);
        let asks = self.history.entry(firm.id.clone()).or_insert_with(Asks::none);
        asks.add(self.last, now, firm.per_week);
        self.turns.push(place, asks.deciding(firm.per_week));
        self.new.push(firm.id.clone(), now);
    }

    fn ids(&self, places: &[usize]) -> Vec<FirmId> {
        let firms = places.iter().filter_map(|&place| self.firms.get(place));
        firms.map(|firm| firm.id.clone()).collect()
    }
}
