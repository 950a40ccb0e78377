//! Limits how many of something exist at a time, in total and per client. A client is only on record while it has any, so that no
//! address is kept afterwards.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use bytes::Bytes;
use hyper::Response;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::client_ip::{BUSINESS, ClientNetwork, HOME};
use crate::site::http::response::Body;

/// A concurrency limit with its current counts.
#[derive(Debug)]
pub struct Concurrency {
    most: usize,
    slots: Arc<Semaphore>,
    per_client: usize,
    counts: Mutex<HashMap<ClientNetwork, usize>>,
}

/// One count of a client, released on drop.
#[derive(Debug)]
pub struct ClientPermit {
    counted: Arc<Concurrency>,
    client: ClientNetwork,
}

/// One slot of the total, released on drop.
#[derive(Debug)]
pub struct Permit {
    _client: Option<ClientPermit>,
    _slot: OwnedSemaphorePermit,
}

/// A body's bytes and the permit that lasts as long as they do.
struct Held(Bytes, #[expect(dead_code, reason = "held")] Permit);

impl Concurrency {
    /// Allows `most` in total, and `per_client` for each client. All clients in a /56 may together have one and a half times that,
    /// and all in a /48 twice that, since either may be a single customer's. Where providers assign smaller networks, this is
    /// enough for several customers, but not for all.
    pub fn new(most: usize, per_client: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            slots: Arc::new(Semaphore::new(most)),
            per_client,
            counts: Mutex::default(),
        })
    }

    /// Counts one more for the client. `None` if it has reached its limit.
    pub fn count(self: &Arc<Self>, client: ClientNetwork) -> Option<ClientPermit> {
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
            counted: Arc::clone(self),
            client,
        })
    }

    /// Waits for a slot for what was counted. Never returns `None`, since the semaphore is never closed.
    pub async fn slot(&self, client: Option<ClientPermit>) -> Option<Permit> {
        let slot = Arc::clone(&self.slots).acquire_owned().await.ok()?;
        Some(Permit {
            _client: client,
            _slot: slot,
        })
    }

    /// Takes a slot for the client. `None` if the client's limit or the total is reached.
    pub fn take(self: &Arc<Self>, client: ClientNetwork) -> Option<Permit> {
        Some(Permit {
            _client: Some(self.count(client)?),
            _slot: Arc::clone(&self.slots).try_acquire_owned().ok()?,
        })
    }

    /// The number of slots taken.
    pub fn taken(&self) -> usize {
        self.most.saturating_sub(self.slots.available_permits())
    }

    fn max(&self, network: ClientNetwork) -> usize {
        match network.prefix() {
            HOME => self.per_client.saturating_mul(3) / 2,
            BUSINESS => self.per_client.saturating_mul(2),
            _ => self.per_client,
        }
    }
}

impl Permit {
    /// Holds the permit for as long as the response's body exists.
    pub fn hold(self, response: Response<Body>) -> Response<Body> {
        if response.body().is_empty() {
            return response;
        }
        response.map(|body| Bytes::from_owner(Held(body, self)))
    }
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let mut counts = self.counted.counts.lock();
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
        let clients = Concurrency::new(4, 2);
        let first = clients.take(network("192.0.2.1")).unwrap();
        let _second = clients.take(network("192.0.2.1")).unwrap();
        assert!(clients.take(network("192.0.2.1")).is_none());
        assert!(clients.take(network("192.0.2.2")).is_some());
        drop(first);
        assert!(clients.take(network("192.0.2.1")).is_some());
    }

    #[test]
    fn a_client_that_has_left_is_forgotten() {
        let clients = Concurrency::new(4, 2);
        let permit = clients.take(network("2001:db8::1"));
        assert_eq!(clients.counts.lock().len(), 3);
        drop(permit);
        assert!(clients.counts.lock().is_empty());
    }

    #[test]
    fn many_networks_of_one_customer_are_not_many_clients() {
        let clients = Concurrency::new(100, 8);
        // From 2001:db8::/40: a /56 has 256 networks, and a /48 has 256 of those.
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
                .filter_map(|client| clients.take(client))
                .collect();
            assert_eq!(permits.len(), expected, "{tried} networks {shift} bits apart");
        }
        // IPv4 addresses are independent of each other.
        let permits: Vec<_> = (0..10)
            .flat_map(|number| vec![network(&format!("192.0.2.{number}")); 10])
            .filter_map(|client| clients.take(client))
            .collect();
        assert_eq!(permits.len(), 80);
    }
}
