//! What is counted a day.

use std::collections::BTreeMap;

/// Counts of one day by name.
pub type DayCounts = BTreeMap<String, u64>;
