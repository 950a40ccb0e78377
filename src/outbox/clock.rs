//! Work triggered by the clock: overdue answers and the erasure of old inquiries.

use jiff::{SignedDuration, Timestamp};
use tokio::time::{MissedTickBehavior, interval};

use super::dispatcher::OutboxSetup;
use crate::domain::reckoning::Reckoning;
use crate::store::{Erasure, Store, Unavailable};

/// How often expired inquiries are erased; each time, the store rewrites its file without them.
const ERASE_EVERY: SignedDuration = SignedDuration::from_hours(24);

/// Handles everything that is due, in batches so that inquiries need not wait.
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

/// Erases inquiries whose retention period has ended. One pass may take minutes. Runs forever.
pub async fn keep_erasing(setup: &OutboxSetup) {
    let store = &setup.store;
    let mut look = interval(setup.pace.look_every);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last: Option<Timestamp> = None;
    // The last judgement of the clock that was logged.
    let mut told = Reckoning::default();
    loop {
        look.tick().await;
        let kept = setup.handling.borrow().retention;
        let now = store.now();
        let Some(before) = kept.kept_since(now) else {
            continue;
        };
        let Ok(clock) = judged(store, now).await else {
            continue;
        };
        if clock.may_be_ahead() {
            if told != clock {
                tell(clock, now);
                told = clock;
            }
            continue;
        }
        // The clock may have been set back since.
        if last.is_some_and(|last| now.duration_since(last).abs() < ERASE_EVERY) {
            continue;
        }
        match store.erase(Erasure::ReceivedBefore(before)).await {
            Ok(_) => last = Some(now),
            Err(_) => {
                tracing::warn!("inquiries that were kept long enough could not be erased; it is tried again");
            }
        }
    }
}

/// Logs why nothing is erased.
fn tell(clock: Reckoning, now: Timestamp) {
    if let (Some(known), Some(from)) = (clock.known, clock.believed_from()) {
        tracing::error!(
            %now, %known,
            "the clock has leapt beyond the time that was known last: nothing is erased by its age until {from}; set the \
             clock, or, if it is right, say so by `taubenabwehr doctor --clock-is-right`"
        );
    }
}

/// Judges the clock by the facts in the store, and records the judgement there.
async fn judged(store: &Store, now: Timestamp) -> Result<Reckoning, Unavailable> {
    let noted = store.facts().await?.clock;
    let clock = noted.judge(now);
    // If it cannot be recorded now, the next pass judges again.
    if clock.is_news(&noted) && store.note_judgement(noted, clock).await.is_err() {
        tracing::debug!("the time could not be noted");
    }
    Ok(clock)
}
