//! What a store says of its backups, of the time, of pauses and reviews, and of each day.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::reckoning::Reckoning;
use super::time::from_millis;
use super::values::fact::{Fact, PAUSE_PREFIX, UNREACHABLE_PREFIX};
use crate::base::text::berlin::in_berlin;
use crate::domain::matching::{Firm, FirmId, Unreachable};

/// When a pause ends; `None` when the firm is resumed.
pub type PauseEnd = Option<Timestamp>;

/// What a store says of its backups, of the time, of pauses and of reviews.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// When the last backup was made.
    pub backed_up_at: Option<Timestamp>,
    /// When the store was restored from one, as long as what was due then is held.
    pub held_since: Option<Timestamp>,
    /// What it knows of the time.
    pub clock: Reckoning,
    /// Until when firms are paused at the operator's word; `None` for until they are resumed.
    pub paused: BTreeMap<FirmId, PauseEnd>,
    /// Since when addresses of firms are refused.
    #[serde(default)]
    pub unreachable: BTreeMap<FirmId, Unreachable>,
    /// When what is published of reviews changed last.
    #[serde(default)]
    pub reviews_changed_at: Option<Timestamp>,
    /// When any review was written, changed, judged or removed last.
    #[serde(default)]
    pub reviews_written_at: Option<Timestamp>,
}

impl Facts {
    /// Returns what facts say, which are given by their names.
    pub fn of(noted: &BTreeMap<String, u64>) -> Self {
        let time = |fact: Fact| noted.get(fact.name()).copied().and_then(from_millis);
        Self {
            backed_up_at: time(Fact::Backup),
            held_since: time(Fact::Suspended),
            clock: Reckoning {
                known: time(Fact::Clock),
                doubted_since: time(Fact::ClockDoubted),
            },
            paused: pauses(noted),
            unreachable: unreachable(noted),
            reviews_changed_at: time(Fact::Reviews),
            reviews_written_at: time(Fact::ReviewsWritten),
        }
    }

    /// Returns the firms that are paused at some time.
    pub fn paused_at(&self, now: Timestamp) -> BTreeSet<FirmId> {
        let firms = self.paused.keys();
        firms
            .filter(|firm| self.pause_of(firm, now).is_some())
            .cloned()
            .collect()
    }

    /// Returns since when a firm cannot be reached; `None` if it can.
    pub fn unreachable_since(&self, firm: &Firm) -> Option<Timestamp> {
        self.unreachable.get(&firm.id)?.since(firm)
    }

    /// Returns when a firm's pause ends, if it is paused at some time.
    pub fn pause_of(&self, firm: &FirmId, now: Timestamp) -> Option<PauseEnd> {
        let end = *self.paused.get(firm)?;
        end.is_none_or(|end| end > now).then_some(end)
    }
}

/// What stands for a pause without an end: no time.
pub const WITHOUT_END: u64 = i64::MAX.unsigned_abs();

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

/// Counts of one day by name.
pub type DayCounts = BTreeMap<String, u64>;

/// Adds a count to those of days, which are read in order.
pub fn add_count(days: &mut Vec<(Date, DayCounts)>, day: Date, name: String, count: u64) {
    match days.last_mut() {
        Some((last, counts)) if *last == day => drop(counts.insert(name, count)),
        _ => days.push((day, DayCounts::from([(name, count)]))),
    }
}

/// Returns a warning that what waits is held.
pub fn restored(at: Timestamp) -> String {
    format!(
        "the inquiries were restored from a backup at {}: what was to be sent and done for them then is held until \
         `taubenabwehr deliveries retry`",
        in_berlin(at)
    )
}
