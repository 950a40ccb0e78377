//! Which inquiries to erase.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::inquiry::CREDIBLE;

/// Which inquiries to erase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Erasure {
    /// Those with these ids, all of which must exist.
    Ids(BTreeSet<Uuid>),
    /// All that were made before this time.
    Until(Timestamp),
    /// All that were received before this time, which may be days after they were made.
    ReceivedBefore(Timestamp),
}

/// Returns the time before which only what was received before another time can have been made: an id that was given by a clock
/// that was ahead tells no more when its inquiry was received, but that was at most so long after it was made.
pub fn made_before(received: Timestamp) -> Timestamp {
    received.saturating_sub(CREDIBLE).unwrap_or(Timestamp::MIN)
}
