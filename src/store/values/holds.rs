//! The leases held by this instance.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::ids::Id;
use crate::store::map::EntryKind;

/// A leased delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leased {
    /// Whether it belongs to an inquiry or a subscription.
    pub kind: EntryKind,
    /// The key of its owner.
    pub id: Id,
    /// The number of the lease.
    pub number: u16,
}

/// The leases held by attempts, and those released but not yet given back to the store.
#[derive(Clone, Default)]
pub struct Holds(Arc<Inner>);

impl fmt::Debug for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Holds").field(&self.0.sets).finish()
    }
}

#[derive(Default)]
struct Inner {
    sets: Mutex<Sets>,
    /// Called when a lease is released.
    on_let_go: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

#[derive(Debug, Default)]
struct Sets {
    held: BTreeSet<Leased>,
    /// Whether an attempt had begun, by lease.
    let_go: BTreeMap<Leased, bool>,
}

impl Holds {
    /// Sets a function to call whenever a lease is released.
    pub fn on_let_go(&self, call: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.on_let_go.set(Box::new(call));
    }

    /// Holds a lease until the returned value is dropped.
    pub fn hold(&self, held: Leased) -> Hold {
        let mut sets = self.0.sets.lock();
        sets.let_go.remove(&held);
        sets.held.insert(held);
        Hold {
            holds: self.clone(),
            held,
            is_begun: false,
        }
    }

    /// Records that a lease has ended because the outcome of its delivery is known.
    pub fn settled(&self, held: Leased) {
        self.0.sets.lock().held.remove(&held);
    }

    /// The leases that are held.
    pub fn held(&self) -> Vec<Leased> {
        self.0.sets.lock().held.iter().copied().collect()
    }

    /// The leases released since the last call, each with whether an attempt had begun and may have sent something.
    pub fn take_let_go(&self) -> BTreeMap<Leased, bool> {
        std::mem::take(&mut self.0.sets.lock().let_go)
    }

    /// Releases all leases, because this instance no longer sends anything.
    pub fn let_all_go(&self) {
        let mut sets = self.0.sets.lock();
        let held = std::mem::take(&mut sets.held);
        sets.let_go.extend(held.into_iter().map(|held| (held, true)));
    }
}

/// A held lease. Dropping it releases the lease.
#[derive(Debug)]
pub struct Hold {
    holds: Holds,
    /// The lease.
    pub held: Leased,
    is_begun: bool,
}

impl Hold {
    /// Records that an attempt has begun.
    pub fn begin(&mut self) {
        self.is_begun = true;
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut sets = self.holds.0.sets.lock();
        if sets.held.remove(&self.held) {
            sets.let_go.insert(self.held, self.is_begun);
            drop(sets);
            if let Some(call) = self.holds.0.on_let_go.get() {
                call();
            }
        }
    }
}
