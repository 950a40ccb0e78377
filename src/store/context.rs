//! What the writer shares with the callers of a store.

use std::sync::{Arc, OnceLock};

use tokio::sync::Notify;

use crate::domain::referral::Secret;
use crate::store::activity::Activity;
use crate::store::health::Health;
use crate::store::reviews::ReviewChanges;
use crate::store::values::holds::Holds;

/// What the writer shares with the callers of a store.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Whether the store can be written.
    pub health: Arc<Health>,
    /// What is done.
    pub activity: Arc<Activity>,
    /// The deliveries that this process is trying.
    pub holds: Holds,
    /// Told when something may have become due.
    pub has_due: Arc<Notify>,
    /// Counts the changes of reviews.
    pub reviews: ReviewChanges,
    /// What tokens follow from, once the store was read.
    pub secret: Arc<OnceLock<Secret>>,
}
