//! When clients first asked for the questionnaire. Its page is the same for everybody, so the form without JavaScript cannot
//! say how long it was open, and the server remembers it for a short while.

use std::num::NonZeroUsize;
use std::time::Duration;

use lru::LruCache;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::domain::inquiry::MIN_FILL_TIME;
use crate::web::limits::client_ip::ClientNetwork;

/// Clients remembered at once, in about a megabyte. The oldest visit makes room for a new one.
const MAX_CLIENTS: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

/// For how long a visit is remembered. Longer than anybody waits between two visits of which the second is a quick one; and
/// the privacy notice says that an address is gone three minutes after it was used.
const REMEMBERED: Duration = Duration::from_mins(2);

/// The first visits of the last minutes, oldest first.
#[derive(Debug)]
pub struct FirstVisits(Mutex<LruCache<ClientNetwork, Instant>>);

impl Default for FirstVisits {
    fn default() -> Self {
        Self(Mutex::new(LruCache::sparse(MAX_CLIENTS)))
    }
}

impl FirstVisits {
    /// Notes that a client has asked for the questionnaire. Only the earliest visit counts: in one network, another visitor
    /// may have come since.
    pub fn note(&self, client: ClientNetwork) {
        let mut visits = self.0.lock();
        if !visits.contains(&client) {
            visits.put(client, Instant::now());
        }
    }

    /// Returns whether a form comes from the client sooner than anybody can fill it in. A client of which nothing is known
    /// is not too quick.
    pub fn is_too_quick(&self, client: ClientNetwork) -> bool {
        let visits = self.0.lock();
        visits
            .peek(&client)
            .is_some_and(|at| at.elapsed() < MIN_FILL_TIME)
    }

    /// Forgets what is over.
    pub fn forget_past(&self) {
        let mut visits = self.0.lock();
        while visits
            .peek_lru()
            .is_some_and(|(_, at)| at.elapsed() >= REMEMBERED)
        {
            visits.pop_lru();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u32) -> ClientNetwork {
        ClientNetwork::of(std::net::Ipv4Addr::from_bits(number).into())
    }

    #[tokio::test(start_paused = true)]
    async fn the_earliest_visit_counts() {
        let visits = FirstVisits::default();
        assert!(!visits.is_too_quick(client(1)), "nothing is known of it");
        visits.note(client(1));
        assert!(visits.is_too_quick(client(1)));
        assert!(!visits.is_too_quick(client(2)));
        tokio::time::advance(MIN_FILL_TIME).await;
        assert!(!visits.is_too_quick(client(1)));
        visits.note(client(1));
        assert!(!visits.is_too_quick(client(1)), "it came before");
    }

    #[tokio::test(start_paused = true)]
    async fn visits_are_forgotten_and_do_not_fill_the_memory() {
        let visits = FirstVisits::default();
        visits.note(client(0));
        tokio::time::advance(REMEMBERED / 2).await;
        visits.note(client(0));
        visits.note(client(1));
        tokio::time::advance(REMEMBERED / 2).await;
        visits.forget_past();
        assert_eq!(visits.0.lock().len(), 1);
        for number in 0..20_000 {
            visits.note(client(number));
        }
        assert_eq!(visits.0.lock().len(), MAX_CLIENTS.get());
        assert!(visits.is_too_quick(client(19_999)));
    }
}
