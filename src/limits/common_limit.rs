//! A limit of what a client may do in a time, common to all instances where they share a store.

use std::fmt::Display;
use std::hash::Hash;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use super::client_ip::ClientNetwork;
use super::rate_limit::{RateLimit, Reservation};
use crate::store::{CountedRequest, Shared};

/// A limit. Where instances share a store that does not answer, each goes on with what it has seen itself.
#[derive(Debug)]
pub struct CommonLimit<K: Hash + Eq = ClientNetwork> {
    own: RateLimit<K>,
    /// The limit's name, and what instances share.
    shared: Option<(&'static str, Shared)>,
}

/// A place within a client's limit. Dropping it leaves what it was taken for counted.
#[derive(Debug)]
#[must_use]
pub struct CommonReservation<'a, K: Hash + Eq = ClientNetwork> {
    own: Reservation<'a, K>,
    shared: Option<(&'a CommonLimit<K>, K, i64)>,
}

impl CommonLimit {
    /// Creates a limit of this many requests a minute. `name` tells it from others that the same instances share.
    pub fn new(name: &'static str, per_minute: NonZeroU32, shared: Option<Shared>) -> Self {
        Self::of(name, RateLimit::new(per_minute), shared)
    }
}

impl<K: Hash + Eq + Copy + Display> CommonLimit<K> {
    /// Creates a limit of this many requests within a time, which remembers so many clients at once.
    pub fn within(
        window: Duration,
        name: &'static str,
        most: NonZeroU32,
        clients: NonZeroUsize,
        shared: Option<Shared>,
    ) -> Self {
        Self::of(name, RateLimit::within(window, most, clients), shared)
    }

    fn of(name: &'static str, own: RateLimit<K>, shared: Option<Shared>) -> Self {
        let shared = shared.map(|shared| (name, shared));
        Self { own, shared }
    }

    /// Counts one more request of the client.
    ///
    /// # Errors
    /// How long to wait, if the client has reached the limit.
    pub async fn reserve(&self, client: K) -> Result<CommonReservation<'_, K>, Duration> {
        self.reserve_up_to(self.own.most, client).await
    }

    /// As [`Self::reserve`], by another limit.
    ///
    /// # Errors
    /// As there.
    pub async fn reserve_up_to(
        &self,
        most: NonZeroU32,
        client: K,
    ) -> Result<CommonReservation<'_, K>, Duration> {
        // Whoever has sent too much here has done so in all.
        let own = self.own.reserve_up_to(most, client)?;
        let Some((name, shared)) = &self.shared else {
            return Ok(CommonReservation { own, shared: None });
        };
        let counted = shared
            .count_request(name, &client.to_string(), most.get(), self.own.window)
            .await;
        match counted {
            Ok(CountedRequest::At(at)) => Ok(CommonReservation {
                own,
                shared: Some((self, client, at)),
            }),
            Ok(CountedRequest::Wait(wait)) => {
                own.release();
                Err(wait)
            }
            Err(_) => Ok(CommonReservation { own, shared: None }),
        }
    }

    /// Forgets clients that have sent nothing within the time, here and in what instances share.
    pub async fn forget_inactive(&self) {
        self.own.forget_inactive();
        if let Some((_, shared)) = &self.shared {
            // If it does not answer, the next time will do.
            let _ = shared.forget_clients().await;
        }
    }
}

impl<K: Hash + Eq + Copy + Display> CommonReservation<'_, K> {
    /// Gives the place back, because nothing was stored.
    pub async fn release(self) {
        self.own.release();
        if let Some((limit, client, at)) = self.shared
            && let Some((name, shared)) = &limit.shared
        {
            // If it does not answer, the request stays counted for its time.
            let _ = shared.take_back(name, &client.to_string(), at).await;
        }
    }
}
