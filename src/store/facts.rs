//! What a store says of its backups, and of the time.

use jiff::Timestamp;

use super::reckoning::Reckoning;

/// What a store says of its backups, and of the time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// When the last one was made.
    pub backed_up_at: Option<Timestamp>,
    /// When the store was restored from one, as long as what was due then is held.
    pub held_since: Option<Timestamp>,
    /// What it knows of the time.
    pub clock: Reckoning,
}
