//! What depends on the clock: answers that are due, and how long inquiries are kept.

use std::num::NonZeroU32;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinHandle;

use crate::store::{EraseError, Erasure, Store};

/// How often inquiries that are old enough are erased: each time the store writes a new file without them.
const ERASE_EVERY: SignedDuration = SignedDuration::from_hours(24);

/// Does everything that is due by the clock, some at a time so that inquiries need not wait.
pub async fn catch_up(store: &Store) {
    loop {
        match store.tick().await {
            Ok(0) => return,
            Ok(_) => {}
            Err(_) => {
                tracing::warn!("the store could not do what is due by the clock; it is tried again");
                return;
            }
        }
    }
}

/// Erases inquiries that were kept long enough.
#[derive(Debug, Default)]
pub struct Retention {
    erasing: Option<JoinHandle<Result<u64, EraseError>>>,
    next: Option<Timestamp>,
}

impl Retention {
    /// Begins an erasure if it is time for one. It goes on beside everything else, since it may take minutes.
    pub async fn look(&mut self, store: &Arc<Store>, days: Option<NonZeroU32>, now: Timestamp) {
        if let Some(erasing) = self.erasing.take_if(|erasing| erasing.is_finished())
            && !matches!(erasing.await, Ok(Ok(_)))
        {
            tracing::warn!("inquiries that were kept long enough could not be erased; it is tried again");
            self.next = None;
        }
        let Some(days) = days.filter(|_| self.erasing.is_none()) else {
            return;
        };
        if self.next.is_some_and(|next| now < next) {
            return;
        }
        let kept =
            SignedDuration::from_hours(24).saturating_mul(i32::try_from(days.get()).unwrap_or(i32::MAX));
        let Ok(before) = now.checked_sub(kept) else { return };
        self.next = now.checked_add(ERASE_EVERY).ok();
        let store = Arc::clone(store);
        self.erasing = Some(tokio::spawn(async move {
            store.erase(Erasure::ReceivedBefore(before)).await
        }));
    }
}
