//! Changing a referral, as every engine is asked for it.

use std::time::Instant;

use uuid::Uuid;

use super::deadline::DEADLINE;
use crate::referral::Change;

/// A change that waits to be made.
pub struct Update {
    /// The inquiry.
    pub id: Uuid,
    /// What is changed.
    pub change: Change,
    /// When the caller hears that the store is unavailable. What is changed later, it would ask for again.
    give_up_at: Option<Instant>,
}

impl Update {
    /// Prepares a change that is not made once its caller has given up.
    pub fn new(id: Uuid, change: Change) -> Self {
        Self {
            id,
            change,
            give_up_at: Some(Instant::now() + DEADLINE),
        }
    }

    /// Prepares a change that is made in any case: it has happened.
    pub fn settled(id: Uuid, change: Change) -> Self {
        Self {
            id,
            change,
            give_up_at: None,
        }
    }

    /// Returns whether the caller has given up.
    pub fn is_too_late(&self) -> bool {
        self.give_up_at.is_some_and(|at| Instant::now() >= at)
    }
}
