//! Deliveries that are being tried. They are remembered in memory alone: after a crash they are simply tried again.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use uuid::Uuid;

use crate::referral::DeliveryId;
use crate::store::claimed;

/// The deliveries that are being tried. Only the writer claims, between the changes that it makes, so that nothing is
/// claimed that was settled or withdrawn before.
#[derive(Debug, Clone, Default)]
pub struct Claims(Arc<Mutex<HashSet<DeliveryId>>>);

impl Claims {
    /// Claims a delivery; `None` if it is being tried.
    pub fn claim(&self, id: DeliveryId) -> Option<Hold> {
        let is_free = self.0.lock().insert(id);
        is_free.then(|| Hold {
            claims: self.clone(),
            id,
        })
    }

    /// Returns the numbers of an inquiry's deliveries that are being tried.
    pub fn of(&self, inquiry: Uuid) -> Vec<u16> {
        let claims = self.0.lock();
        let own = claims.iter().filter(|claim| claim.inquiry == inquiry);
        own.map(|claim| claim.number).collect()
    }
}

/// A delivery that is being tried. Dropping it lets the delivery go.
#[derive(Debug)]
pub struct Hold {
    claims: Claims,
    id: DeliveryId,
}

impl claimed::Hold for Hold {}

impl Drop for Hold {
    fn drop(&mut self) {
        self.claims.0.lock().remove(&self.id);
    }
}
