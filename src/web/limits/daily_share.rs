//! How many of a day's mails to new addresses, or photos, and how much work, one network may cause, without recording who has caused how many.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::client_ip::ClientNetwork;

/// Requests of one network within a day. Each may have a mail sent to another address, and the store
/// knows 200,000 of those (`store/confirmation.rs`): this is a hundredth, so that one network leaves room for all others. A
/// company, or the customers who share an address, do not send so many inquiries about pigeons.
pub const MAILS: u16 = 2_000;

/// Photos of one network within a day: those of 60 inquiries, which take some 130 MB. So no network fills a disk in a month, and
/// with as many as a crowd of robots has, `doctor` says in time that the room ends.
pub const PHOTOS: u16 = 300;

/// After this everybody has a new share.
const PERIOD: Duration = Duration::from_hours(24);

/// Counters, of which each network has one. Two of them seldom have the same: beside ten networks that flood the site, one
/// of 6,500 others.
const COUNTERS: usize = 1 << 16;

/// What has been used up, shared by all connections. No address is kept: many networks have the same counter, and which they
/// are follows from a key that nobody knows and that is made anew with each start.
#[derive(Debug)]
pub struct DailyShare {
    key: RandomState,
    used: Mutex<Used>,
    most: u16,
}

#[derive(Debug)]
struct Used {
    since: Instant,
    counters: Vec<u16>,
}

impl Used {
    fn none() -> Self {
        Self {
            since: Instant::now(),
            counters: vec![0; COUNTERS],
        }
    }
}

impl DailyShare {
    /// Creates a share of this many requests a day.
    pub fn new(most: u16) -> Self {
        Self {
            key: RandomState::new(),
            used: Mutex::new(Used::none()),
            most,
        }
    }

    /// Counts one more request of the client's network; returns whether that is within its share.
    pub fn take(&self, client: ClientNetwork) -> bool {
        self.add(client, 1) <= self.most
    }

    /// Takes back that a request was counted, because nothing came of it.
    pub fn give_back(&self, client: ClientNetwork) {
        self.change(client, |used| used.saturating_sub(1));
    }

    /// Adds to what the client's network has used, and returns the sum.
    pub fn add(&self, client: ClientNetwork, amount: u16) -> u16 {
        self.change(client, |used| used.saturating_add(amount))
    }

    /// Changes the counter of the client's network; returns it.
    fn change(&self, client: ClientNetwork, change: impl FnOnce(u16) -> u16) -> u16 {
        let mut used = self.used.lock();
        if used.since.elapsed() >= PERIOD {
            *used = Used::none();
        }
        let hash = self.key.hash_one(client.site());
        let place = usize::try_from(hash % COUNTERS as u64).unwrap_or_default();
        let counter = used.counters.get_mut(place);
        counter.map_or(0, |counter| {
            *counter = change(*counter);
            *counter
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientNetwork {
        ClientNetwork::of(address.parse().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_has_its_share_of_each_day() {
        let share = DailyShare::new(MAILS);
        for number in 0..MAILS {
            assert!(share.take(client(&format!("2001:db8:1:{number:x}::1"))));
        }
        assert!(!share.take(client("2001:db8:1:ffff::1")));
        for _ in 0..2 {
            share.give_back(client("2001:db8:1:1::1"));
        }
        assert!(share.take(client("2001:db8:1:ffff::1")));
        assert!(!share.take(client("2001:db8:1:ffff::1")));
        // Which counter is whose differs from start to start.
        let others = (0..1000).map(|number| client(&format!("192.0.{}.{}", number / 250, number % 250)));
        assert!(others.filter(|&other| share.take(other)).count() > 990);
        tokio::time::advance(PERIOD).await;
        assert!(share.take(client("2001:db8:1:ffff::1")));
    }
}
