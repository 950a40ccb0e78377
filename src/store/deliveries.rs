//! Deliveries and what the clock brings, as the outbox asks for them.

use super::Store;
use super::claimed::{Claim, Claimed};
use super::deadline::in_time;
use super::error::Unavailable;
use crate::referral::{Lane, Outcome};

impl Store {
    /// Claims deliveries of a lane that are due, the longest due first, at most `limit`. Nobody else gets them until they
    /// are settled, or the process has ended.
    ///
    /// # Errors
    /// While the store cannot be read.
    pub async fn claim(&self, lane: Lane, limit: usize) -> Result<Claimed, Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.claim(lane, limit).await,
                Self::Postgres(store) => store.claim(lane, limit).await,
            }
        })
        .await
    }

    /// Notes what came of a claimed delivery, durably. It is made sure of even behind the deadline.
    ///
    /// # Errors
    /// While the store cannot be written: the delivery stays claimed, so call again.
    pub async fn settle(&self, claim: &Claim, outcome: Outcome) -> Result<(), Unavailable> {
        match self {
            Self::Redb(store) => store.settle(claim, outcome).await,
            Self::Postgres(store) => store.settle(claim, outcome).await,
        }
    }

    /// Does some of what is due by the clock: passes over firms that have not answered, begins released inquiries, forgets
    /// what is over. Returns how many that were; call again unless it is 0.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        in_time(async {
            match self {
                Self::Redb(store) => store.tick().await,
                Self::Postgres(store) => store.tick().await,
            }
        })
        .await
    }

    /// Waits until something may have become due. Only one task may wait.
    pub async fn has_due(&self) {
        match self {
            Self::Redb(store) => store.has_due().await,
            Self::Postgres(store) => store.has_due().await,
        }
    }
}
