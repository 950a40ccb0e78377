//! What a batch must read before it can be applied.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::ids::Id;
use super::keyed_request::KeyName;
use crate::referral::Lane;

/// How many inquiries, and as many subscriptions, the clock brings in one transaction, so that no visitor waits long for it.
pub const CLOCK_AT_ONCE: usize = 64;

/// What a batch must read. Sets are in order, so that instances lock rows in the same order.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing to be read")]
pub struct ReadSet {
    /// Idempotency keys, by the names that stand for them.
    pub keys: BTreeSet<KeyName>,
    /// Everything that is known of inquiries.
    pub inquiries: BTreeSet<Uuid>,
    /// Subscriptions, by their keys.
    pub subscriptions: BTreeSet<Uuid>,
    /// What mailboxes were sent, by the digests that stand for them.
    pub mailboxes: BTreeSet<Id>,
    /// What the ledger has of inquiries.
    pub acceptances: BTreeSet<Uuid>,
    /// Which months are closed; no other instance may close one, or add to one, at the same time.
    pub closings: bool,
    /// What is due in a lane, with how many deliveries are wanted.
    pub due: BTreeMap<Lane, usize>,
    /// Whose turn it is, which firms are paused, and what else is noted; no other instance may change these at the same time.
    pub turns: bool,
    /// The time, measured in the transaction itself: leases are compared by it among instances, and the clock of a machine may
    /// have been set since it was asked last.
    pub time: bool,
    /// Set by whatever changes more than it inserts, or must see the store before.
    pub locks: bool,
}

impl ReadSet {
    /// Adds what is due in a lane.
    pub fn add_due(&mut self, lane: Lane, limit: usize) {
        let wanted = self.due.entry(lane).or_default();
        *wanted = limit.max(*wanted);
        self.locks = true;
        self.time = true;
    }
}
