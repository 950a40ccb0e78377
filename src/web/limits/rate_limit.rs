//! How many requests within a time are accepted per client.
//!
//! The limit is a sliding window: of any 60 seconds, none sees more than the limit. A token bucket would let nearly twice
//! as many through, since it refills while a burst is being spent.

use std::collections::VecDeque;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use lru::LruCache;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::client_ip::ClientNetwork;

/// The time that limits of requests are for.
const WINDOW: Duration = Duration::from_mins(1);

/// Requests remembered at once, of all clients. A full table takes some 20 MB if each is of another client, and less otherwise. The
/// client that was inactive for longest makes room.
const MAX_REQUESTS: usize = 100_000;

/// The limit, shared by all connections of this instance. `K` is what a client is told by.
#[derive(Debug)]
pub struct RateLimit<K: Hash + Eq = ClientNetwork> {
    most: NonZeroU32,
    window: Duration,
    accepted: Mutex<Accepted<K>>,
}

/// When each client's requests within the window were accepted, oldest first.
#[derive(Debug)]
struct Accepted<K: Hash + Eq> {
    clients: LruCache<K, VecDeque<Instant>>,
    /// How many there are of all clients.
    total: usize,
}

/// A place within a client's limit, taken for a request that is about to be carried out. Dropping it leaves the request counted:
/// whoever hangs up before the response may have had it carried out nevertheless.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'a, K: Hash + Eq = ClientNetwork> {
    limit: &'a RateLimit<K>,
    client: K,
    at: Instant,
}

impl RateLimit {
    /// Creates a limit of this many requests a minute.
    pub fn new(per_minute: NonZeroU32) -> Self {
        Self::within(WINDOW, per_minute)
    }
}

impl<K: Hash + Eq + Copy> RateLimit<K> {
    /// Creates a limit of this many requests within a time.
    pub fn within(window: Duration, most: NonZeroU32) -> Self {
        Self {
            most,
            window,
            accepted: Mutex::new(Accepted {
                clients: LruCache::unbounded(),
                total: 0,
            }),
        }
    }

    /// Counts one more request of the client.
    ///
    /// # Errors
    /// How long to wait, if the client has reached the limit.
    pub fn reserve(&self, client: K) -> Result<Reservation<'_, K>, Duration> {
        self.reserve_up_to(self.most, client)
    }

    /// As [`Self::reserve`], by another limit.
    ///
    /// # Errors
    /// How long to wait, if the client has reached that limit.
    pub fn reserve_up_to(&self, most: NonZeroU32, client: K) -> Result<Reservation<'_, K>, Duration> {
        let most = usize::try_from(most.get()).unwrap_or(usize::MAX);
        let now = Instant::now();
        let mut accepted = self.accepted.lock();
        let Accepted { clients, total } = &mut *accepted;
        let times = clients.get_or_insert_mut(client, VecDeque::new);
        while times.pop_front_if(|at| self.is_over(*at, now)).is_some() {
            *total -= 1;
        }
        if times.len() >= most
            && let Some(&oldest) = times.front()
        {
            return Err(self.window.saturating_sub(now - oldest));
        }
        times.push_back(now);
        *total += 1;
        while *total > MAX_REQUESTS
            && clients.len() > 1
            && let Some((_, times)) = clients.pop_lru()
        {
            *total -= times.len();
        }
        Ok(Reservation {
            limit: self,
            client,
            at: now,
        })
    }

    /// Forgets clients whose requests are all over. The least recently active come first, and a client is active when it sends
    /// one, so no inactive client hides behind an active one for longer than the window.
    pub fn forget_inactive(&self) {
        let now = Instant::now();
        let Accepted { clients, total } = &mut *self.accepted.lock();
        while let Some((_, times)) = clients.peek_lru()
            && times.back().is_none_or(|&at| self.is_over(at, now))
            && let Some((_, times)) = clients.pop_lru()
        {
            *total -= times.len();
        }
    }

    fn is_over(&self, at: Instant, now: Instant) -> bool {
        now.duration_since(at) >= self.window
    }
}

impl<K: Hash + Eq + Copy> Reservation<'_, K> {
    /// Gives the place back, because nothing came of the request.
    pub fn release(self) {
        let Accepted { clients, total } = &mut *self.limit.accepted.lock();
        if let Some(times) = clients.peek_mut(&self.client) {
            if let Some(index) = times.iter().rposition(|&at| at == self.at) {
                times.remove(index);
                *total -= 1;
            }
            if times.is_empty() {
                clients.pop(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(per_minute: u32) -> RateLimit {
        RateLimit::new(NonZeroU32::new(per_minute).unwrap())
    }

    fn client(number: usize) -> ClientNetwork {
        let network = u128::try_from(number).unwrap() << 64;
        ClientNetwork::of(std::net::Ipv6Addr::from_bits(network | 1 << 127).into())
    }

    /// Clients and requests that are remembered.
    fn kept(limit: &RateLimit) -> (usize, usize) {
        let accepted = limit.accepted.lock();
        (accepted.clients.len(), accepted.total)
    }

    fn sends(limit: &RateLimit, client: ClientNetwork) -> bool {
        limit.reserve(client).is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn no_minute_sees_more_than_the_limit() {
        let limit = limit(10);
        let mut accepted = Vec::new();
        for _ in 0..1000 {
            if sends(&limit, client(1)) {
                accepted.push(Instant::now());
            }
            tokio::time::advance(Duration::from_millis(700)).await;
        }
        assert!(accepted.len() > 100);
        for eleven in accepted.windows(11) {
            assert!(eleven[10] - eleven[0] >= WINDOW);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_client_is_told_when_it_may_send_again() {
        let limit = limit(2);
        assert!(sends(&limit, client(1)));
        tokio::time::advance(Duration::from_secs(20)).await;
        assert!(sends(&limit, client(1)));
        let wait = limit.reserve(client(1)).map(|_| ()).unwrap_err();
        assert_eq!(wait, Duration::from_secs(40));
        assert!(sends(&limit, client(2)));
        tokio::time::advance(wait).await;
        assert!(sends(&limit, client(1)));
        assert!(!sends(&limit, client(1)));
    }

    #[tokio::test]
    async fn an_inquiry_that_was_not_stored_costs_nothing() {
        let limit = limit(1);
        for _ in 0..3 {
            limit.reserve(client(1)).unwrap().release();
        }
        assert_eq!(kept(&limit), (0, 0));
        assert!(sends(&limit, client(1)));
        assert!(!sends(&limit, client(1)));
    }

    #[tokio::test]
    async fn a_crowd_locks_nobody_out_and_does_not_fill_the_memory() {
        for each in [1, 300] {
            let limit = limit(each);
            let each = usize::try_from(each).unwrap();
            let clients = MAX_REQUESTS / each + 100;
            for number in 0..clients {
                for _ in 0..each {
                    assert!(sends(&limit, client(number)), "{number}");
                }
            }
            assert_eq!(kept(&limit), (MAX_REQUESTS / each, MAX_REQUESTS / each * each));
            // The most recent are still remembered.
            assert!(!sends(&limit, client(clients - 1)));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn inactive_clients_are_forgotten() {
        let limit = limit(1);
        assert!(sends(&limit, client(1)));
        tokio::time::advance(WINDOW / 2).await;
        assert!(sends(&limit, client(2)));
        tokio::time::advance(WINDOW / 2).await;
        limit.forget_inactive();
        assert_eq!(kept(&limit), (1, 1));
        tokio::time::advance(WINDOW / 2).await;
        limit.forget_inactive();
        assert_eq!(kept(&limit), (0, 0));
    }
}
