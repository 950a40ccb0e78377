//! How much of something each client has at a time. A client is counted only while it has some, so no address outlives the
//! last of it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use parking_lot::Mutex;

use super::client_ip::{ClientNetwork, Surroundings};

/// What the clients have now.
#[derive(Debug)]
pub struct ClientCounts {
    counts: Mutex<HashMap<Surroundings, usize>>,
    max_per_client: usize,
}

/// The right to one more, held as long as the client has it.
#[derive(Debug)]
pub struct ClientPermit {
    counts: Arc<ClientCounts>,
    client: ClientNetwork,
}

impl ClientCounts {
    /// Creates an empty count in which each client may have this many. All clients around it may together have one and a half
    /// times that if a customer could be all of them, and twice that if a customer with many lines could: a provider that
    /// gives each customer less has room for several, and none for all.
    pub fn new(max_per_client: usize) -> Arc<Self> {
        Arc::new(Self {
            counts: Mutex::default(),
            max_per_client,
        })
    }

    /// Counts one more of this client until the permit is dropped. Returns `None` if it already has as many as it may.
    pub fn acquire(self: &Arc<Self>, client: ClientNetwork) -> Option<ClientPermit> {
        let mut counts = self.counts.lock();
        let is_full = |network| {
            counts
                .get(&network)
                .is_some_and(|&count| count >= self.max(network))
        };
        if client.surroundings().any(is_full) {
            return None;
        }
        for network in client.surroundings() {
            *counts.entry(network).or_default() += 1;
        }
        Some(ClientPermit {
            counts: Arc::clone(self),
            client,
        })
    }

    fn max(&self, network: Surroundings) -> usize {
        match network {
            Surroundings::Client(_) => self.max_per_client,
            Surroundings::Customer(_) => self.max_per_client.saturating_mul(3) / 2,
            Surroundings::Site(_) => self.max_per_client.saturating_mul(2),
        }
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let mut counts = self.counts.counts.lock();
        for network in self.client.surroundings() {
            if let Entry::Occupied(mut entry) = counts.entry(network) {
                *entry.get_mut() -= 1;
                if *entry.get() == 0 {
                    entry.remove();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> ClientNetwork {
        ClientNetwork::of(address.parse().unwrap())
    }

    #[test]
    fn a_permit_is_free_again_when_it_is_dropped() {
        let clients = ClientCounts::new(2);
        let first = clients.acquire(network("192.0.2.1")).unwrap();
        let _second = clients.acquire(network("192.0.2.1")).unwrap();
        assert!(clients.acquire(network("192.0.2.1")).is_none());
        assert!(clients.acquire(network("192.0.2.2")).is_some());
        drop(first);
        assert!(clients.acquire(network("192.0.2.1")).is_some());
    }

    #[test]
    fn a_client_that_has_left_is_forgotten() {
        let clients = ClientCounts::new(2);
        let permit = clients.acquire(network("2001:db8::1"));
        assert_eq!(clients.counts.lock().len(), 3);
        drop(permit);
        assert!(clients.counts.lock().is_empty());
    }

    #[test]
    fn many_networks_of_one_customer_are_not_many_clients() {
        let clients = ClientCounts::new(8);
        // From 2001:db8::/40: a /56 has 256 networks, a /48 as many of those.
        let granted = |numbers: std::ops::Range<u128>, shift: u32| {
            let base = network("2001:db8::");
            let addresses = numbers.map(|number| (0x2001_0db8 << 96) + (number << shift));
            let clients = addresses.map(|bits| ClientNetwork::of(std::net::Ipv6Addr::from_bits(bits).into()));
            assert_eq!(clients.clone().next(), Some(base));
            clients.flat_map(|client| vec![client; 100]).collect::<Vec<_>>()
        };
        for (tried, shift, expected) in [(1, 64, 8), (256, 64, 12), (256, 72, 16), (3, 80, 24)] {
            let permits: Vec<_> = granted(0..tried, shift)
                .into_iter()
                .filter_map(|client| clients.acquire(client))
                .collect();
            assert_eq!(permits.len(), expected, "{tried} networks {shift} bits apart");
        }
        // Addresses of IPv4 have nothing to do with each other.
        let permits: Vec<_> = (0..10)
            .flat_map(|number| vec![network(&format!("192.0.2.{number}")); 10])
            .filter_map(|client| clients.acquire(client))
            .collect();
        assert_eq!(permits.len(), 80);
    }
}
