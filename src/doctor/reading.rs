//! What a clock said.

use jiff::{SignedDuration, Timestamp};

/// What another clock said, in whole seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Whose clock it is.
    pub of: String,
    theirs: Timestamp,
    ours: Timestamp,
    /// Whether it is the clock of this machine after all.
    pub is_own: bool,
}

impl Reading {
    /// Notes what the clock of a server said, and what this machine's said then.
    pub fn new(of: impl Into<String>, theirs: Timestamp, ours: Timestamp) -> Self {
        Self {
            of: of.into(),
            theirs,
            ours,
            is_own: false,
        }
    }

    /// Notes whether that server is on this machine.
    pub fn on_this_machine(self, is_own: bool) -> Self {
        Self { is_own, ..self }
    }

    /// Returns how far this machine is ahead.
    pub fn off(&self) -> SignedDuration {
        self.ours.duration_since(self.theirs)
    }
}
