//! Deliveries that are being tried. They are remembered in memory alone: after a crash they are simply tried again.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::referral::DeliveryId;

/// The deliveries that are being tried, shared by readers and the writer.
#[derive(Debug, Clone, Default)]
pub struct Claims {
    held: Arc<Mutex<HashSet<DeliveryId>>>,
    /// Held by whoever looks for deliveries to claim.
    looking: Arc<Mutex<()>>,
}

/// Looks for deliveries to claim; one at a time.
pub struct Search<'c> {
    claims: &'c Claims,
    /// What was claimed before the file was read. It may have been delivered and let go since, which that view of the
    /// file does not show.
    held_before: HashSet<DeliveryId>,
    _looking: MutexGuard<'c, ()>,
}

impl Claims {
    /// Begins to look for deliveries to claim. Begin before reading the file.
    pub fn search(&self) -> Search<'_> {
        let looking = self.looking.lock();
        Search {
            claims: self,
            held_before: self.held.lock().clone(),
            _looking: looking,
        }
    }

    /// Lets a delivery go.
    pub fn release(&self, id: &DeliveryId) {
        self.held.lock().remove(id);
    }

    /// Returns the numbers of an inquiry's deliveries that are being tried.
    pub fn of(&self, inquiry: Uuid) -> Vec<u16> {
        let claims = self.held.lock();
        let own = claims.iter().filter(|claim| claim.inquiry == inquiry);
        own.map(|claim| claim.number).collect()
    }
}

impl Search<'_> {
    /// Claims a delivery; returns whether it was free.
    pub fn claim(&self, id: DeliveryId) -> bool {
        !self.held_before.contains(&id) && self.claims.held.lock().insert(id)
    }
}
