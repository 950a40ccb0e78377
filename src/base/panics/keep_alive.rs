//! Restarting tasks that panic, such as those that send mails and renew certificates.

use std::time::Duration;

use tokio::time::sleep;

use super::caught;

/// The pause before a task begins again, so that one that panics at once uses no processor time, and a shutdown need
/// not wait for it.
const PAUSE: Duration = Duration::from_secs(5);

/// Runs a task until it ends, and restarts it whenever it panics. `name` describes it in the log.
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
