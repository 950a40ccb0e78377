//! What depends on the clock: answers that are due, and how long inquiries are kept.

use jiff::{SignedDuration, Timestamp};
use tokio::time::{MissedTickBehavior, interval};

use super::dispatcher::OutboxSetup;
use crate::domain::reckoning::Reckoning;
use crate::store::{Erasure, Store, Unavailable};

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

/// Erases inquiries that were kept long enough, as often as their age is looked at. It may take minutes. Runs forever.
pub async fn keep_erasing(setup: &OutboxSetup) {
    let store = &setup.store;
    let mut look = interval(setup.pace.look_every);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last: Option<Timestamp> = None;
    // The doubts about the clock that were logged.
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

/// Tells the operator why nothing is erased.
fn tell(clock: Reckoning, now: Timestamp) {
    if let (Some(known), Some(from)) = (clock.known, clock.believed_from()) {
        tracing::error!(
            %now, %known,
            "the clock has leapt beyond the time that was known last: nothing is erased by its age until {from}; set the \
             clock, or, if it is right, say so by `taubenabwehr doctor --clock-is-right`"
        );
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
