//! The leases of this instance: those that its tries hold right now.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::ids::Id;
use crate::store::map::EntryKind;

/// A delivery that is leased.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leased {
    /// Whether it is of an inquiry or of a subscription.
    pub kind: EntryKind,
    /// The key of that.
    pub id: Id,
    /// The number of the lease.
    pub number: u16,
}

/// The leases that tries hold, and those that were let go and not given back yet.
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
    /// Called when something is let go.
    on_let_go: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

#[derive(Debug, Default)]
struct Sets {
    held: BTreeSet<Leased>,
    /// And whether a try has begun.
    let_go: BTreeMap<Leased, bool>,
}

impl Holds {
    /// Has something called whenever a lease is let go.
    pub fn on_let_go(&self, call: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.on_let_go.set(Box::new(call));
    }

    /// Holds a lease until the value is dropped.
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

    /// Notes that a lease has ended: it is known what came of the delivery.
    pub fn settled(&self, held: Leased) {
        self.0.sets.lock().held.remove(&held);
    }

    /// Returns what is held.
    pub fn held(&self) -> Vec<Leased> {
        self.0.sets.lock().held.iter().copied().collect()
    }

    /// Returns what was let go since the last call, and whether it had begun: then it may have sent something.
    pub fn take_let_go(&self) -> BTreeMap<Leased, bool> {
        std::mem::take(&mut self.0.sets.lock().let_go)
    }

    /// Lets everything go: this instance tries nothing any more.
    pub fn let_all_go(&self) {
        let mut sets = self.0.sets.lock();
        let held = std::mem::take(&mut sets.held);
        sets.let_go.extend(held.into_iter().map(|held| (held, true)));
    }
}

/// A lease that is held. Dropping it lets it go.
#[derive(Debug)]
pub struct Hold {
    holds: Holds,
    /// What is held.
    pub held: Leased,
    is_begun: bool,
}

impl Hold {
    /// Notes that whoever holds it may begin.
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
