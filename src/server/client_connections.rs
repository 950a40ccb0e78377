//! How many connections each client has. A client is counted only while it is connected, so there are never more
//! entries than connections, and no address outlives its last connection.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::client_ip::ClientNetwork;

/// The clients that are connected now.
#[derive(Debug)]
pub struct ClientConnections {
    counts: Mutex<HashMap<ClientNetwork, usize>>,
    max_per_client: usize,
}

impl ClientConnections {
    /// Creates an empty count in which each client may have `max_per_client` connections.
    pub fn new(max_per_client: usize) -> Arc<Self> {
        Arc::new(Self {
            counts: Mutex::default(),
            max_per_client,
        })
    }

    /// Counts one more connection of this client until the permit is dropped. Returns `None` if the client already has
    /// as many as it may.
    pub fn acquire(self: &Arc<Self>, client: ClientNetwork) -> Option<ClientPermit> {
        let mut counts = self.lock();
        let count = counts.entry(client).or_default();
        if *count >= self.max_per_client {
            return None;
        }
        *count += 1;
        Some(ClientPermit {
            clients: Arc::clone(self),
            client,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientNetwork, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to one connection of a client.
#[derive(Debug)]
pub struct ClientPermit {
    clients: Arc<ClientConnections>,
    client: ClientNetwork,
}

impl Drop for ClientPermit {
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
    fn a_permit_is_free_again_when_its_connection_ends() {
        let clients = ClientConnections::new(2);
        let network = |address: &str| ClientNetwork::of(address.parse().unwrap());
        let first = clients.acquire(network("192.0.2.1")).unwrap();
        let _second = clients.acquire(network("192.0.2.1")).unwrap();
        assert!(clients.acquire(network("192.0.2.1")).is_none());
        assert!(clients.acquire(network("192.0.2.2")).is_some());
        drop(first);
        assert!(clients.acquire(network("192.0.2.1")).is_some());
    }

    #[test]
    fn a_client_that_has_left_is_forgotten() {
        let clients = ClientConnections::new(2);
        let permit = clients.acquire(ClientNetwork::of("2001:db8::1".parse().unwrap()));
        assert_eq!(clients.lock().len(), 1);
        drop(permit);
        assert!(clients.lock().is_empty());
    }
}
