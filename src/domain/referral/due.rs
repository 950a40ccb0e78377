//! When a referral has something due.

use std::collections::BTreeMap;

use jiff::Timestamp;

/// Who handles what is due. Each lane has its own order, so that a mail server that hangs holds up no webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The clock: an answer is overdue, a released inquiry begins, a withdrawn one is forgotten.
    Clock,
    /// The mail server.
    Mail,
    /// The operator's webhook.
    Webhook,
}

impl Lane {
    /// Every lane.
    pub const ALL: [Self; 3] = [Self::Clock, Self::Mail, Self::Webhook];
}

/// When something is due in each lane; a lane is left out where nothing is.
pub type Due = BTreeMap<Lane, Timestamp>;
