//! What a store says of its backups.

use jiff::Timestamp;

/// What a store says of its backups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// When the last one was made.
    pub backed_up_at: Option<Timestamp>,
    /// When the store was restored from one, as long as what was due then is held.
    pub held_since: Option<Timestamp>,
}
