//! A limit of what a client may do in a minute, common to all instances where they share a store.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::client_ip::ClientNetwork;
use crate::rate_limit::{RateLimit, Reservation};
use crate::store::{CountedRequest, Shared};

/// A limit. Where instances share a store that does not answer, each goes on with what it has seen itself.
#[derive(Debug)]
pub struct CommonLimit {
    per_minute: NonZeroU32,
    own: RateLimit,
    /// The limit's name, and what instances share.
    shared: Option<(&'static str, Shared)>,
}

/// A place within a client's limit. Dropping it leaves what it was taken for counted.
#[derive(Debug)]
#[must_use]
pub struct CommonReservation<'a> {
    own: Reservation<'a>,
    shared: Option<(&'a CommonLimit, ClientNetwork, i64)>,
}

impl CommonLimit {
    /// Creates a limit of this many requests a minute. `name` tells it from others that the same instances share.
    pub fn new(name: &'static str, per_minute: NonZeroU32, shared: Option<Shared>) -> Self {
        Self {
            per_minute,
            own: RateLimit::new(per_minute),
            shared: shared.map(|shared| (name, shared)),
        }
    }

    /// Counts one more request of the client.
    ///
    /// # Errors
    /// How long to wait, if the client has reached the limit.
    pub async fn reserve(&self, client: ClientNetwork) -> Result<CommonReservation<'_>, Duration> {
        // Whoever has sent too much here has done so in all.
        let own = self.own.reserve(client)?;
        let Some((name, shared)) = &self.shared else {
            return Ok(CommonReservation { own, shared: None });
        };
        let counted = shared
            .count_request(name, &client.to_string(), self.per_minute.get())
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

    /// Forgets clients that have sent nothing for a minute, here and in what instances share.
    pub async fn forget_inactive(&self) {
        self.own.forget_inactive();
        if let Some((_, shared)) = &self.shared {
            // If it does not answer, the next time will do.
            let _ = shared.forget_clients().await;
        }
    }
}

impl CommonReservation<'_> {
    /// Gives the place back, because nothing was stored.
    pub async fn release(self) {
        self.own.release();
        if let Some((limit, client, at)) = self.shared
            && let Some((name, shared)) = &limit.shared
        {
            // If it does not answer, the request stays counted for a minute.
            let _ = shared.take_back(name, &client.to_string(), at).await;
        }
    }
}
