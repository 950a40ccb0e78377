//! Restarting tasks that panic: nothing else would send mails, renew certificates or forget addresses.

use std::time::Duration;

use tokio::time::sleep;

use super::caught;

/// The pause before a task begins again, so that one that panics at once takes no processor time, and shutting down need
/// not wait for it.
const PAUSE: Duration = Duration::from_secs(5);

/// Runs a task until it ends by itself, and begins it again whenever it panics. `name` is what it does, for the log.
pub async fn keep_alive(name: &str, mut task: impl AsyncFnMut()) {
    while caught(task()).await.is_err() {
        tracing::error!("{name} has stopped by a bug, and begins again; please report it");
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_begins_again_until_it_ends() {
        let mut begun = 0;
        keep_alive("counting", async || {
            begun += 1;
            tokio::task::yield_now().await;
            assert!(begun > 2, "not yet");
        })
        .await;
        assert_eq!(begun, 3);
    }
}
