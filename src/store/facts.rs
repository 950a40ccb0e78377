//! What a store says of its backups, of the time, and of each day.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::reckoning::Reckoning;
use crate::matching::FirmId;
use crate::text::berlin::in_berlin;

/// What a store says of its backups, and of the time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// When the last one was made.
    pub backed_up_at: Option<Timestamp>,
    /// When the store was restored from one, as long as what was due then is held.
    pub held_since: Option<Timestamp>,
    /// What it knows of the time.
    pub clock: Reckoning,
    /// Until when firms are paused at the operator's word; `None` for until they are resumed.
    pub paused: BTreeMap<FirmId, Option<Timestamp>>,
    /// When a review was written, changed, judged or removed last.
    #[serde(default)]
    pub reviews_changed_at: Option<Timestamp>,
}

/// Counts of one day by name.
pub type DayCounts = BTreeMap<String, u64>;

/// Returns a warning that what waits is held.
pub fn restored(at: Timestamp) -> String {
    format!(
        "the inquiries were restored from a backup at {}: what was to be sent and done for them then is held until \
         `taubenabwehr deliveries retry`",
        in_berlin(at)
    )
}
