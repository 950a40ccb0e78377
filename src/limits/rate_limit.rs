//! How many inquiries a minute are accepted per client.
//!
//! The limit is a sliding window: of any 60 seconds, none sees more than the limit. A token bucket would let nearly twice
//! as many through, since it refills while a burst is being spent.

use std::collections::VecDeque;
use std::hash::Hash;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use lru::LruCache;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::client_ip::ClientNetwork;

/// The time that limits of requests are for.
const WINDOW: Duration = Duration::from_mins(1);

/// Clients remembered at once. A full table takes some 20 MB, with ten inquiries each 40 MB. The client that was inactive for
/// longest makes room for a new one.
const MAX_CLIENTS: NonZeroUsize = NonZeroUsize::new(100_000).unwrap();

/// The limit, shared by all connections. `K` is what a client is told by.
#[derive(Debug)]
pub struct RateLimit<K: Hash + Eq = ClientNetwork> {
    pub(super) most: NonZeroU32,
    pub(super) window: Duration,
    /// When each client's inquiries within the window were accepted, oldest first.
    clients: Mutex<LruCache<K, VecDeque<Instant>>>,
}

/// A place within a client's limit, taken for an inquiry that is about to be stored. Dropping it leaves the inquiry
/// counted: whoever hangs up before the response may have been stored nevertheless.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'a, K: Hash + Eq = ClientNetwork> {
    limit: &'a RateLimit<K>,
    client: K,
    at: Instant,
}

impl RateLimit {
    /// Creates a limit of this many inquiries a minute.
    pub fn new(per_minute: NonZeroU32) -> Self {
        Self::within(WINDOW, per_minute, MAX_CLIENTS)
    }
}

impl<K: Hash + Eq + Copy> RateLimit<K> {
    /// Creates a limit of this many inquiries within a time, which remembers so many clients at once.
    pub fn within(window: Duration, most: NonZeroU32, clients: NonZeroUsize) -> Self {
        Self {
            most,
            window,
            clients: Mutex::new(LruCache::sparse(clients)),
        }
    }

    /// Counts one more inquiry of the client.
    ///
    /// # Errors
    /// How long to wait, if the client has reached the limit.
    pub fn reserve(&self, client: K) -> Result<Reservation<'_, K>, Duration> {
        self.reserve_up_to(self.most, client)
    }

    /// As [`Self::reserve`], by another limit.
    ///
    /// # Errors
    /// As there.
    pub fn reserve_up_to(&self, most: NonZeroU32, client: K) -> Result<Reservation<'_, K>, Duration> {
        let most = usize::try_from(most.get()).unwrap_or(usize::MAX);
        let now = Instant::now();
        let mut clients = self.clients.lock();
        let accepted = clients.get_or_insert_mut(client, VecDeque::new);
        while accepted.front().is_some_and(|&at| self.is_over(at, now)) {
            accepted.pop_front();
        }
        if accepted.len() >= most
            && let Some(&oldest) = accepted.front()
        {
            return Err(self.window.saturating_sub(now - oldest));
        }
        accepted.push_back(now);
        Ok(Reservation {
            limit: self,
            client,
            at: now,
        })
    }

    /// Forgets clients whose inquiries are all over. The least recently active come first, and a client is active when it sends
    /// an inquiry, so no inactive client hides behind an active one for longer than the window.
    pub fn forget_inactive(&self) {
        let now = Instant::now();
        let mut clients = self.clients.lock();
        while let Some((_, accepted)) = clients.peek_lru()
            && accepted.back().is_none_or(|&at| self.is_over(at, now))
        {
            clients.pop_lru();
        }
    }

    fn is_over(&self, at: Instant, now: Instant) -> bool {
        now.duration_since(at) >= self.window
    }
}

impl<K: Hash + Eq + Copy> Reservation<'_, K> {
    /// Gives the place back, because the inquiry was not stored.
    pub fn release(self) {
        let mut clients = self.limit.clients.lock();
        if let Some(accepted) = clients.peek_mut(&self.client) {
            if let Some(index) = accepted.iter().rposition(|&at| at == self.at) {
                accepted.remove(index);
            }
            if accepted.is_empty() {
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
        assert!(limit.clients.lock().is_empty());
        assert!(sends(&limit, client(1)));
        assert!(!sends(&limit, client(1)));
    }

    #[tokio::test]
    async fn a_crowd_locks_nobody_out_and_does_not_fill_the_memory() {
        let limit = limit(1);
        for number in 0..MAX_CLIENTS.get() + 100 {
            assert!(sends(&limit, client(number)), "{number}");
        }
        assert_eq!(limit.clients.lock().len(), MAX_CLIENTS.get());
        // The most recent are still remembered.
        assert!(!sends(&limit, client(MAX_CLIENTS.get())));
    }

    #[tokio::test(start_paused = true)]
    async fn inactive_clients_are_forgotten() {
        let limit = limit(1);
        assert!(sends(&limit, client(1)));
        tokio::time::advance(WINDOW / 2).await;
        assert!(sends(&limit, client(2)));
        tokio::time::advance(WINDOW / 2).await;
        limit.forget_inactive();
        assert_eq!(limit.clients.lock().len(), 1);
        tokio::time::advance(WINDOW / 2).await;
        limit.forget_inactive();
        assert!(limit.clients.lock().is_empty());
    }
}
