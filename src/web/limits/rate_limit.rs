//! Rate limits for each client or network.
//!
//! The window slides: no period of its length ever exceeds the limit. A token bucket would admit nearly twice as many, since it
//! refills while a burst is being spent.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, RandomState};
use std::num::NonZeroU32;
use std::time::Duration;

use lru::LruCache;
use parking_lot::Mutex;
use tokio::time::Instant;

/// The window of most limits.
pub const MINUTE: Duration = Duration::from_mins(1);

/// The window of daily limits.
pub const DAY: Duration = Duration::from_hours(24);

/// Maximum number of remembered requests of all clients. A full table takes about 20 MB if each is from a different client, and
/// less otherwise. When it is full, the client that has been inactive for longest is dropped.
const MAX_REQUESTS: usize = 100_000;

/// A rate limit, shared by all connections of this instance. It stores no addresses: clients are identified by a hash whose key is
/// random at each start.
#[derive(Debug)]
pub struct RateLimit {
    /// `None` means unlimited.
    most: Option<NonZeroU32>,
    window: Duration,
    key: RandomState,
    accepted: Mutex<Accepted>,
}

/// The requests accepted within the window.
#[derive(Debug)]
struct Accepted {
    clients: LruCache<u64, Requests>,
    /// The number of requests of all clients.
    total: usize,
}

/// When a client's requests were accepted, oldest first, and how much each counts.
#[derive(Debug, Default)]
struct Requests {
    times: VecDeque<(Instant, u32)>,
    sum: u32,
}

/// A place within a client's limit for a request about to be processed. Dropping it leaves the request counted, since the request
/// of a client that hangs up early may still be processed.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'a>(Option<(&'a RateLimit, u64, Instant)>);

impl RateLimit {
    /// A limit of `most` requests per window; `None` means unlimited.
    pub fn new(window: Duration, most: impl Into<Option<NonZeroU32>>) -> Self {
        Self {
            most: most.into(),
            window,
            key: RandomState::new(),
            accepted: Mutex::new(Accepted {
                clients: LruCache::unbounded(),
                total: 0,
            }),
        }
    }

    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        self.most.is_some()
    }

    /// Counts one more request of the client.
    ///
    /// # Errors
    /// How long to wait, if the client has reached the limit.
    pub fn reserve(&self, client: impl Hash) -> Result<Reservation<'_>, Duration> {
        self.reserve_up_to(self.most.unwrap_or(NonZeroU32::MAX), client)
    }

    /// Like [`Self::reserve`], with another limit, unless this one is unlimited.
    ///
    /// # Errors
    /// How long to wait, if the client has reached that limit.
    pub fn reserve_up_to(&self, most: NonZeroU32, client: impl Hash) -> Result<Reservation<'_>, Duration> {
        if self.most.is_none() {
            return Ok(Reservation(None));
        }
        let client = self.key.hash_one(client);
        self.with(client, |requests| {
            let now = Instant::now();
            if requests.sum >= most.get()
                && let Some(&(oldest, _)) = requests.times.front()
            {
                return Err(self.window.saturating_sub(now - oldest));
            }
            requests.add(now, 1);
            Ok(Reservation(Some((self, client, now))))
        })
    }

    /// Counts `amount` more for the client, regardless of the limit.
    pub fn add(&self, client: impl Hash, amount: u32) {
        self.with(self.key.hash_one(client), |requests| {
            requests.add(Instant::now(), amount);
        });
    }

    /// What the client has used within the window.
    pub fn used(&self, client: impl Hash) -> u32 {
        self.with(self.key.hash_one(client), |requests| requests.sum)
    }

    /// The time since the client's oldest request within the window.
    pub fn since_first(&self, client: impl Hash) -> Option<Duration> {
        self.with(self.key.hash_one(client), |requests| {
            requests.times.front().map(|(at, _)| at.elapsed())
        })
    }

    /// Runs `work` on the requests within the window of the client with this hash.
    fn with<T>(&self, client: u64, work: impl FnOnce(&mut Requests) -> T) -> T {
        let now = Instant::now();
        let Accepted { clients, total } = &mut *self.accepted.lock();
        let requests = clients.get_or_insert_mut(client, Requests::default);
        let before = requests.times.len();
        while let Some((_, amount)) = requests.times.pop_front_if(|(at, _)| self.is_over(*at, now)) {
            requests.sum -= amount;
        }
        let done = work(requests);
        *total = *total - before + requests.times.len();
        if requests.times.is_empty() {
            clients.pop(&client);
        }
        while *total > MAX_REQUESTS
            && clients.len() > 1
            && let Some((_, requests)) = clients.pop_lru()
        {
            *total -= requests.times.len();
        }
        done
    }

    /// Forgets clients without requests in the window. The least recently active come first, so an inactive client is kept behind
    /// an active one for at most one more window.
    pub fn forget_inactive(&self) {
        let now = Instant::now();
        let Accepted { clients, total } = &mut *self.accepted.lock();
        while let Some((_, requests)) = clients.peek_lru()
            && requests.times.back().is_none_or(|&(at, _)| self.is_over(at, now))
            && let Some((_, requests)) = clients.pop_lru()
        {
            *total -= requests.times.len();
        }
    }

    fn is_over(&self, at: Instant, now: Instant) -> bool {
        now.duration_since(at) >= self.window
    }
}

impl Requests {
    fn add(&mut self, at: Instant, amount: u32) {
        self.times.push_back((at, amount));
        self.sum = self.sum.saturating_add(amount);
    }
}

impl Reservation<'_> {
    /// Releases the place, because the request had no effect.
    pub fn release(self) {
        let Some((limit, client, reserved_at)) = self.0 else {
            return;
        };
        limit.with(client, |requests| {
            if let Some(index) = requests.times.iter().rposition(|&(at, _)| at == reserved_at) {
                requests.times.remove(index);
                requests.sum -= 1;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::limits::client_ip::ClientNetwork;

    fn limit(per_minute: u32) -> RateLimit {
        RateLimit::new(MINUTE, NonZeroU32::new(per_minute).unwrap())
    }

    fn client(number: usize) -> ClientNetwork {
        let network = u128::try_from(number).unwrap() << 64;
        ClientNetwork::of(std::net::Ipv6Addr::from_bits(network | 1 << 127).into())
    }

    /// The number of clients and requests remembered.
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
            assert!(eleven[10] - eleven[0] >= MINUTE);
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
        tokio::time::advance(MINUTE / 2).await;
        assert!(sends(&limit, client(2)));
        tokio::time::advance(MINUTE / 2).await;
        limit.forget_inactive();
        assert_eq!(kept(&limit), (1, 1));
        tokio::time::advance(MINUTE / 2).await;
        limit.forget_inactive();
        assert_eq!(kept(&limit), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_used_is_the_sum_within_the_window() {
        let limit = limit(1);
        assert_eq!((limit.used(client(1)), limit.since_first(client(1))), (0, None));
        limit.add(client(1), 40);
        tokio::time::advance(MINUTE / 2).await;
        limit.add(client(1), 2);
        assert_eq!(limit.used(client(1)), 42);
        assert_eq!(limit.since_first(client(1)), Some(MINUTE / 2));
        assert!(!sends(&limit, client(1)));
        tokio::time::advance(MINUTE / 2).await;
        assert_eq!((limit.used(client(1)), limit.used(client(2))), (2, 0));
        tokio::time::advance(MINUTE / 2).await;
        assert!(sends(&limit, client(1)));
        assert_eq!(kept(&limit), (1, 1));
    }
}
