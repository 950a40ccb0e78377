//! Which inquiries to erase.

use std::collections::BTreeSet;

use jiff::Timestamp;
use uuid::Uuid;

/// Which inquiries to erase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Erasure {
    /// Those with these ids, all of which must exist.
    Ids(BTreeSet<Uuid>),
    /// All that were made before this time.
    Until(Timestamp),
    /// All that were received before this time, which may be days after they were made.
    ReceivedBefore(Timestamp),
}
