//! The leases of this instance: those that its tries hold right now.

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::referral::DeliveryId;
use crate::store::claimed;

/// What a hold is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// A delivery of an inquiry.
    Inquiry(DeliveryId),
    /// The mail of a subscription, which is the only one; named by its key.
    Subscription(uuid::Uuid),
}

/// The leases that tries hold, and those that were let go and not given back yet.
#[derive(Debug, Clone, Default)]
pub struct Holds(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    sets: Mutex<Sets>,
    let_go: Notify,
}

#[derive(Debug, Default)]
struct Sets {
    held: BTreeSet<Held>,
    let_go: BTreeSet<Held>,
}

impl Holds {
    /// Holds a lease until the value is dropped.
    pub fn hold(&self, held: Held) -> Hold {
        let mut sets = self.0.sets.lock();
        sets.let_go.remove(&held);
        sets.held.insert(held);
        Hold {
            holds: self.clone(),
            held,
        }
    }

    /// Notes that a lease has ended: it is known what came of the delivery.
    pub fn settled(&self, held: Held) {
        self.0.sets.lock().held.remove(&held);
    }

    /// Returns what is held.
    pub fn held(&self) -> Vec<Held> {
        self.0.sets.lock().held.iter().copied().collect()
    }

    /// Returns what was let go since the last call.
    pub fn take_let_go(&self) -> Vec<Held> {
        std::mem::take(&mut self.0.sets.lock().let_go)
            .into_iter()
            .collect()
    }

    /// Lets everything go: this instance tries nothing any more.
    pub fn let_all_go(&self) {
        let mut sets = self.0.sets.lock();
        let held = std::mem::take(&mut sets.held);
        sets.let_go.extend(held);
    }

    /// Waits until something is let go.
    pub async fn has_let_go(&self) {
        self.0.let_go.notified().await;
    }
}

/// A lease that is held. Dropping it lets it go.
#[derive(Debug)]
pub struct Hold {
    holds: Holds,
    held: Held,
}

impl claimed::Hold for Hold {}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut sets = self.holds.0.sets.lock();
        if sets.held.remove(&self.held) {
            sets.let_go.insert(self.held);
            self.holds.0.let_go.notify_one();
        }
    }
}
