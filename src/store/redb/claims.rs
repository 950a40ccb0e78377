//! Deliveries that are being tried. They are remembered in memory alone: after a crash they are simply tried again.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use uuid::Uuid;

use crate::referral::DeliveryId;

/// The deliveries that are being tried, shared by readers and the writer.
#[derive(Debug, Clone, Default)]
pub struct Claims(Arc<Mutex<HashSet<DeliveryId>>>);

impl Claims {
    /// Claims a delivery; returns whether it was free.
    pub fn claim(&self, id: DeliveryId) -> bool {
        self.0.lock().insert(id)
    }

    /// Lets a delivery go.
    pub fn release(&self, id: &DeliveryId) {
        self.0.lock().remove(id);
    }

    /// Returns the numbers of an inquiry's deliveries that are being tried.
    pub fn of(&self, inquiry: Uuid) -> Vec<u16> {
        let claims = self.0.lock();
        let own = claims.iter().filter(|claim| claim.inquiry == inquiry);
        own.map(|claim| claim.number).collect()
    }
}
