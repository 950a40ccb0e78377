//! What a batch must read before it can be applied.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::store::ids::Id;
use crate::store::keyed_request::KeyName;

/// What a batch must read. Sets are in order, so that instances lock rows in the same order.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is set by itself")]
pub struct Needs {
    /// Idempotency keys, by the names that stand for them.
    pub keys: BTreeSet<KeyName>,
    /// Everything that is known of inquiries.
    pub dossiers: BTreeSet<Uuid>,
    /// Subscriptions, by their keys.
    pub subscriptions: BTreeSet<Uuid>,
    /// What addresses were sent, by the digests that stand for them.
    pub addresses: BTreeSet<Id>,
    /// Whose turn it is; no other instance may ask firms at the same time.
    pub turns: bool,
    /// How many deliveries by mail are to be claimed.
    pub mails: usize,
    /// How many webhooks are to be claimed.
    pub webhooks: usize,
    /// What is due by the clock.
    pub clock: bool,
    /// The time of the database, measured in the transaction itself: leases are compared by it among instances, and the clock of a
    /// machine may have been set since it was asked last.
    pub time: bool,
    /// Set by whatever changes more than it inserts, or must see the database before.
    pub reads: bool,
}
