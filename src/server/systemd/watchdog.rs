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

/// When the store was seen to do something.
#[derive(Debug, Default)]
struct Pulse {
    steps: u64,
    at: Option<Instant>,
}

/// Tells the service manager that the server works, twice as often as it wants to hear it, and only when the store has
/// answered. Returns at once if no watchdog waits, and else never.
pub async fn feed_watchdog(store: Option<&Store>) {
    let Some(period) = notify::watchdog_period() else {
        return;
    };
    let mut pulse = Pulse::default();
    loop {
        if let Some(store) = store {
            pulse.answered(store, ASK_AGAIN.min(period / 4)).await;
        }
        notify::alive().await;
        sleep(period / 2).await;
    }
}

impl Pulse {
    /// Waits for an answer, and asks again after this pause. That the store cannot be written is an answer, too, if it has tried: a
    /// full disk has no more room after a restart, and a database that hangs would not notice one. What the store says without
    /// trying repeats the attempt before. A long erasure, in which the store answers nobody, counts while it makes progress.
    async fn answered(&mut self, store: &Store, pause: Duration) {
        if self.at.is_none() {
            self.steps = store.activity().steps();
        }
        loop {
            let asked = timeout(LOOK_EVERY, store.check_writable()).await;
            let steps = store.activity().steps();
            if steps != self.steps {
                self.steps = steps;
                self.at = Some(Instant::now());
            }
            let is_recent = self.at.is_some_and(|at| at.elapsed() <= ASK_AGAIN);
            if asked == Ok(true) || is_recent {
                return;
            }
            // It has too much to do to take a question, or has answered another one a moment ago.
            sleep(pause).await;
        }
    }
}
