//! What a store says of its backups, of the time, of pauses and reviews, and of each day.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::matching::{Firm, FirmId, Unreachable};
use crate::domain::reckoning::Reckoning;
use crate::store::values::from_millis;

// Facts about the store, by the names by which they are kept: times in milliseconds since 1970, unless they say otherwise.

/// When a health check has written last.
pub const HEALTH: &str = "health";
/// When the last backup was made.
pub const BACKUP: &str = "backup";
/// When the store was restored from a backup, as long as what was due then is held.
pub const SUSPENDED: &str = "held";
/// The last time that was believed.
pub const CLOCK: &str = "clock";
/// Since when the clock has not been believed, by its own time.
pub const CLOCK_DOUBTED: &str = "clock_doubted";
/// The morning of the operator's last digest.
pub const DIGEST: &str = "digest";
/// When the operator was told last, or is told next, that inquiries wait since they may be robots'.
pub const SUSPECTED_TOLD: &str = "suspected_told";
/// When what is published of reviews changed last; absent as long as nothing was.
pub const REVIEWS: &str = "reviews";
/// When any review was written, changed, judged or removed last; absent as long as none was.
pub const REVIEWS_WRITTEN: &str = "reviews_written";
/// The number of the format.
pub const SCHEMA: &str = "schema";
/// There while a copy into the store is not finished.
pub const COPYING: &str = "copying";
/// There while removed data may have left traces in the file.
pub const TRACES: &str = "traces";

/// Begins the names of facts that say until when a firm is paused; its id ends them.
pub const PAUSE_PREFIX: &str = "paused:";

/// Begins the names of facts that say since when a firm's address is refused; its id and the digest of the address end them.
pub const UNREACHABLE_PREFIX: &str = "unreachable:";

/// Returns whether a fact is kept when a store is copied or restored: what it says is true of the copy, too.
pub fn is_copied(name: &str) -> bool {
    let is_of_firm = [PAUSE_PREFIX, UNREACHABLE_PREFIX]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    is_of_firm || [REVIEWS, REVIEWS_WRITTEN].contains(&name)
}

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
        let time = |name| noted.get(name).copied().and_then(from_millis);
        Self {
            backed_up_at: time(BACKUP),
            held_since: time(SUSPENDED),
            clock: Reckoning {
                known: time(CLOCK),
                doubted_since: time(CLOCK_DOUBTED),
            },
            paused: pauses(noted),
            unreachable: unreachable(noted),
            reviews_changed_at: time(REVIEWS),
            reviews_written_at: time(REVIEWS_WRITTEN),
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
