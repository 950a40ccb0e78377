//! The watchdog: a service manager that hears nothing for some time restarts the server.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use crate::base::process::notify;
use crate::store::Store;

/// How long to wait before looking whether the store does something else. Shorter than its own deadline, after
/// which it answers that it cannot be written, whether or not it hangs.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Pause before the store is asked again: for a second it says without trying that it cannot be written.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Tells the service manager that the server works, twice as often as it wants to hear it, and only when the store has
/// answered. Returns at once if no watchdog waits, and else never.
pub async fn feed_watchdog(store: Option<&Store>) {
    let Some(period) = notify::watchdog_period() else {
        return;
    };
    // The steps of the store, and when it was seen to make one.
    let mut pulse = (store.map_or(0, |store| store.activity().steps()), None);
    loop {
        if let Some(store) = store {
            answered(store, &mut pulse, ASK_AGAIN.min(period / 4)).await;
        }
        notify::alive().await;
        sleep(period / 2).await;
    }
}

/// Waits for an answer, and asks again after this pause. That the store cannot be written is an answer, too, if it has tried: a
/// full disk has no more room after a restart, and a database that hangs would not notice one. What the store says without
/// trying repeats the attempt before. A long erasure, in which the store answers nobody, counts while it makes progress.
async fn answered(store: &Store, pulse: &mut (u64, Option<Instant>), pause: Duration) {
    let (seen, at) = pulse;
    loop {
        let asked = timeout(LOOK_EVERY, store.check_writable()).await;
        let steps = store.activity().steps();
        if steps != *seen {
            *seen = steps;
            *at = Some(Instant::now());
        }
        if asked == Ok(true) || at.is_some_and(|at| at.elapsed() <= ASK_AGAIN) {
            return;
        }
        // It has too much to do to take a question, or has answered another one a moment ago.
        sleep(pause).await;
    }
}
