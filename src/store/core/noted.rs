//! What the facts about a store say together.

use std::collections::BTreeMap;

use super::fact::Fact;
use super::pause::{pauses, unreachable};
use crate::store::facts::Facts;
use crate::store::reckoning::Reckoning;
use crate::store::time::from_millis;

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
}
