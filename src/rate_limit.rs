//! How many inquiries a minute one client may send.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter as Governor};

use crate::client_ip::ClientNetwork;

/// Clients remembered at once; each takes some 50 bytes, so an attack from many networks costs at most 5 MB. When so
/// many are active within a minute, everybody waits until some have been quiet.
const MAX_CLIENTS: usize = 100_000;

/// How often quiet clients are looked for. The privacy notice says that an address is gone three minutes after its last
/// inquiry: the library knows an allowance for full after two at the latest (with one inquiry a minute).
const FORGET_EVERY: Duration = Duration::from_secs(30);

/// The limit, shared by all connections.
#[derive(Debug)]
pub struct RateLimit {
    clients: DefaultKeyedRateLimiter<ClientNetwork>,
    clock: DefaultClock,
}

impl RateLimit {
    /// At most `per_minute` at once, refilled evenly over a minute.
    pub fn new(per_minute: NonZeroU32) -> Self {
        Self {
            clients: Governor::keyed(Quota::per_minute(per_minute)),
            clock: DefaultClock::default(),
        }
    }

    /// Takes one from the client's allowance.
    ///
    /// # Errors
    /// How long to wait when there is none left.
    pub fn take(&self, client: ClientNetwork) -> Result<(), Duration> {
        // Not looking for quiet ones here: in a crowd each request would go through all of them.
        if self.clients.len() >= MAX_CLIENTS {
            return Err(Duration::from_mins(1));
        }
        self.clients
            .check_key(&client)
            .map_err(|refusal| refusal.wait_time_from(self.clock.now()))
    }

    /// Forgets the addresses of quiet clients again and again, for as long as it is polled.
    pub async fn keep_forgetting(&self) {
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            self.forget_quiet();
        }
    }

    /// Forgets every client whose allowance is full again: it would get the same answers as a new one.
    fn forget_quiet(&self) {
        self.clients.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_an_allowance_of_its_own() {
        let limit = RateLimit::new(NonZeroU32::new(2).unwrap());
        let client = |address: &str| ClientNetwork::of(address.parse().unwrap());
        assert!(limit.take(client("1.1.1.1")).is_ok());
        assert!(limit.take(client("1.1.1.1")).is_ok());
        let wait = limit.take(client("1.1.1.1")).unwrap_err();
        assert!(
            wait > Duration::from_secs(20) && wait <= Duration::from_secs(30),
            "{wait:?}"
        );
        assert!(limit.take(client("1.1.1.2")).is_ok());
    }

    #[test]
    fn no_crowd_fills_the_memory_and_all_are_served_when_it_has_gone() {
        // One every half millisecond: the crowd has gone when the test looks again.
        let limit = RateLimit::new(NonZeroU32::new(120_000).unwrap());
        let client = |n: usize| {
            let network = u128::try_from(n).unwrap() << 64;
            ClientNetwork::of(std::net::Ipv6Addr::from_bits(network | 1 << 127).into())
        };
        for n in 0..MAX_CLIENTS {
            assert_eq!(limit.take(client(n)), Ok(()), "{n}");
        }
        assert_eq!(limit.take(client(MAX_CLIENTS)), Err(Duration::from_mins(1)));
        assert_eq!(limit.clients.len(), MAX_CLIENTS);
        while !limit.clients.is_empty() {
            limit.forget_quiet();
        }
        assert_eq!(limit.take(client(MAX_CLIENTS)), Ok(()));
    }

    #[test]
    fn only_quiet_clients_are_forgotten() {
        let client = ClientNetwork::of("1.1.1.1".parse().unwrap());
        let asked_by_client = |per_minute| {
            let limit = RateLimit::new(NonZeroU32::new(per_minute).unwrap());
            assert!(limit.take(client).is_ok());
            limit
        };
        let slow = asked_by_client(1);
        slow.forget_quiet();
        assert_eq!(slow.clients.len(), 1);
        // One a millisecond: the allowance is full again in no time.
        let quick = asked_by_client(60_000);
        while !quick.clients.is_empty() {
            quick.forget_quiet();
        }
    }
}
