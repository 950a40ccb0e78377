//! How many connections each client has. A client is counted while it has one, so that there are never more entries
//! than connections, and no address is kept.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::client_ip::ClientNetwork;

/// The clients that are connected now.
#[derive(Debug)]
pub struct Clients {
    connections: Mutex<HashMap<ClientNetwork, usize>>,
    /// Connections that one may have.
    most: usize,
}

impl Clients {
    /// Nobody yet; each may have `most` connections.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            connections: Mutex::default(),
            most,
        })
    }

    /// A place for one more connection of this client, which it keeps until the place is dropped; `None` if it has as
    /// many as it may.
    pub fn admit(self: &Arc<Self>, client: ClientNetwork) -> Option<Place> {
        let mut connections = self.lock();
        let count = connections.entry(client).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place {
            clients: Arc::clone(self),
            client,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientNetwork, usize>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection's place among those of its client.
#[derive(Debug)]
pub struct Place {
    clients: Arc<Clients>,
    client: ClientNetwork,
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Entry::Occupied(mut entry) = self.clients.lock().entry(self.client) {
            *entry.get_mut() -= 1;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let clients = Clients::new(2);
        let of = |address: &str| ClientNetwork::of(address.parse().unwrap());
        let first = clients.admit(of("192.0.2.1")).unwrap();
        let _second = clients.admit(of("192.0.2.1")).unwrap();
        assert!(clients.admit(of("192.0.2.1")).is_none());
        assert!(clients.admit(of("192.0.2.2")).is_some());
        drop(first);
        assert!(clients.admit(of("192.0.2.1")).is_some());
    }

    #[test]
    fn who_has_left_is_forgotten() {
        let clients = Clients::new(2);
        let place = clients.admit(ClientNetwork::of("2001:db8::1".parse().unwrap()));
        assert_eq!(clients.lock().len(), 1);
        drop(place);
        assert!(clients.lock().is_empty());
    }
}
