//! What depends on the clock: answers that are due, and how long inquiries are kept.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinHandle;

use crate::config;
use crate::domain::reckoning::Reckoning;
use crate::store::{EraseError, Erasure, Store, Unavailable};

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
    last: Option<Timestamp>,
    /// The doubts about the clock that were logged.
    told: Reckoning,
}

impl Retention {
    /// Begins an erasure if it is time for one. It runs in the background, since it may take minutes.
    pub async fn look(&mut self, store: &Arc<Store>, kept: config::Retention, now: Timestamp) {
        if let Some(erasing) = self.erasing.take_if(|erasing| erasing.is_finished())
            && !matches!(erasing.await, Ok(Ok(_)))
        {
            tracing::warn!("inquiries that were kept long enough could not be erased; it is tried again");
            self.last = None;
        }
        let Some(before) = kept.kept_since(now).filter(|_| self.erasing.is_none()) else {
            return;
        };
        let Ok(clock) = judged(store, now).await else {
            return;
        };
        if clock.may_be_ahead() {
            self.tell(clock, now);
            return;
        }
        // The clock may have been set back since.
        if self
            .last
            .is_some_and(|last| now.duration_since(last).abs() < ERASE_EVERY)
        {
            return;
        }
        self.last = Some(now);
        let store = Arc::clone(store);
        self.erasing = Some(tokio::spawn(async move {
            store.erase(Erasure::ReceivedBefore(before)).await
        }));
    }

    /// Tells the operator, once, why nothing is erased.
    fn tell(&mut self, clock: Reckoning, now: Timestamp) {
        if self.told == clock {
            return;
        }
        self.told = clock;
        if let (Some(known), Some(from)) = (clock.known, clock.believed_from()) {
            tracing::error!(
                %now, %known,
                "the clock has leapt beyond the time that was known last: nothing is erased by its age until {from}; set the \
                 clock, or, if it is right, say so by `taubenabwehr doctor --clock-is-right`"
            );
        }
    }
}

/// Judges the clock by what the store knows, and notes it there.
async fn judged(store: &Store, now: Timestamp) -> Result<Reckoning, Unavailable> {
    let noted = store.facts().await?.clock;
    let clock = noted.judge(now);
    // What cannot be noted now is judged again.
    if clock.is_news(&noted) && store.note_judgement(noted, clock).await.is_err() {
        tracing::debug!("the time could not be noted");
    }
    Ok(clock)
}
