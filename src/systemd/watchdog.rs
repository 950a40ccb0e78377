//! The watchdog: a service manager that hears nothing for some time starts the server again.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::notify;
use crate::store::Store;

/// How long to wait before it is looked at whether the store does something else. Shorter than its own deadline, after
/// which it answers that it cannot be written, whether or not it hangs.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Pause before the store is asked again: for a second it says without trying that it cannot be written.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Tells the service manager that the server works, twice as often as it wants to hear it, and only when the store has
/// answered. Returns at once if no watchdog waits, and else never.
pub async fn feed_watchdog(store: Option<&Store>) {
    let Some(period) = sd_notify::watchdog_enabled() else {
        return;
    };
    loop {
        if let Some(store) = store {
            answered(store).await;
        }
        notify::alive().await;
        sleep(period / 2).await;
    }
}

/// Waits for an answer. That the store cannot be written is one, too, if it has tried: a full disk has no more room after a
/// restart, and a database that hangs does not know of it. A long erasure, in which the store answers nobody, counts for as long as it gets on.
async fn answered(store: &Store) {
    loop {
        let before = store.activity().steps();
        let asked = timeout(LOOK_EVERY, store.check_writable()).await;
        if asked == Ok(true) || store.activity().steps() != before {
            return;
        }
        // It has too much to do to take a question, or has answered another one a moment ago.
        sleep(ASK_AGAIN).await;
    }
}
