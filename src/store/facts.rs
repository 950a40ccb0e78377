//! Facts about a store: its backups, the clock, pauses, reviews, and the counts of each day.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::matching::{Firm, FirmId, Pause, Unreachable};
use crate::domain::reckoning::Reckoning;
use crate::store::values::from_millis;

// The names of facts. Values are times in milliseconds since 1970 unless noted otherwise.

/// When a health check last wrote.
pub const HEALTH: &str = "health";
/// When the last backup was made.
pub const BACKUP: &str = "backup";
/// When the store was restored from a backup, as long as what was due then is held back.
pub const SUSPENDED: &str = "held";
/// The last time that was trusted.
pub const CLOCK: &str = "clock";
/// Since when the clock has not been trusted, by its own time.
pub const CLOCK_DOUBTED: &str = "clock_doubted";
/// The morning of the operator's last digest.
pub const DIGEST: &str = "digest";
/// When the operator was last notified, or will next be notified, of waiting inquiries from suspected robots.
pub const SUSPECTED_TOLD: &str = "suspected_told";
/// When published reviews last changed; absent until they do.
pub const REVIEWS: &str = "reviews";
/// When any review was last written, changed, judged or removed; absent until one is.
pub const REVIEWS_WRITTEN: &str = "reviews_written";
/// The number of the format.
pub const SCHEMA: &str = "schema";
/// Set while a copy into the store is unfinished.
pub const COPYING: &str = "copying";
/// Set while removed data may have left traces in the file.
pub const TRACES: &str = "traces";

/// Prefix of the facts that hold the end of a firm's pause; followed by the firm's id.
pub const PAUSE_PREFIX: &str = "paused:";

/// Prefix of the facts that hold the beginning of a firm's pause, unless it begins at once; followed by the firm's id.
pub const PAUSE_FROM_PREFIX: &str = "paused_from:";

/// Prefix of the facts that hold since when a firm's address has been refused; followed by the firm's id and the digest of the
/// address.
pub const UNREACHABLE_PREFIX: &str = "unreachable:";

/// Whether a fact also applies to a copy of the store and is therefore copied and restored.
pub fn is_copied(name: &str) -> bool {
    let is_of_firm = [PAUSE_PREFIX, PAUSE_FROM_PREFIX, UNREACHABLE_PREFIX]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    is_of_firm || [REVIEWS, REVIEWS_WRITTEN].contains(&name)
}

/// The facts about a store that commands and pages show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// When the last backup was made.
    pub backed_up_at: Option<Timestamp>,
    /// When the store was restored from a backup, as long as what was due then is held back.
    pub held_since: Option<Timestamp>,
    /// The state of the clock.
    pub clock: Reckoning,
    /// Firms paused by the operator, now or later.
    pub paused: BTreeMap<FirmId, Pause>,
    /// Firms whose address is refused, and since when.
    #[serde(default)]
    pub unreachable: BTreeMap<FirmId, Unreachable>,
    /// When published reviews last changed.
    #[serde(default)]
    pub reviews_changed_at: Option<Timestamp>,
    /// When any review was last written, changed, judged or removed.
    #[serde(default)]
    pub reviews_written_at: Option<Timestamp>,
}

impl Facts {
    /// Collects the facts from their stored form.
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

    /// The firms that are paused at a time.
    pub fn paused_at(&self, now: Timestamp) -> BTreeSet<FirmId> {
        let paused = self.paused.iter().filter(|(_, pause)| pause.holds(now));
        paused.map(|(firm, _)| firm.clone()).collect()
    }

    /// Since when a firm has been unreachable; `None` if it can be reached.
    pub fn unreachable_since(&self, firm: &Firm) -> Option<Timestamp> {
        self.unreachable.get(&firm.id)?.since(firm)
    }

    /// A firm's pause that is in effect at a time, or begins later.
    pub fn pause_of(&self, firm: &FirmId, now: Timestamp) -> Option<Pause> {
        self.paused.get(firm).copied().filter(|pause| !pause.is_over(now))
    }
}

/// The value of a pause without end, which is not a valid time.
pub const WITHOUT_END: u64 = i64::MAX.unsigned_abs();

/// The pauses of all firms.
pub fn pauses(noted: &BTreeMap<String, u64>) -> BTreeMap<FirmId, Pause> {
    let pauses = noted.iter().filter_map(|(name, end)| {
        let firm = FirmId::parse(name.strip_prefix(PAUSE_PREFIX)?).ok()?;
        let end = (*end != WITHOUT_END).then_some(*end);
        let from = noted.get(&format!("{PAUSE_FROM_PREFIX}{firm}")).copied();
        let (from, until) = (from.and_then(from_millis), end.and_then(from_millis));
        Some((firm, Pause { from, until }))
    });
    pauses.collect()
}

/// Since when firms have been unreachable.
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
