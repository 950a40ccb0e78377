//! Graceful shutdown: one signal that reaches every task, and one place that waits for all of them.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The coordinator. Clones share one state: each can start tasks and await the end of the process.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    /// What [`Self::drain`] waits for.
    pub tasks: TaskTracker,
}

impl Shutdown {
    /// Completes when shutdown begins.
    pub fn requested(&self) -> impl Future<Output = ()> + Send + use<> {
        self.token.clone().cancelled_owned()
    }

    /// Tells every task to end.
    pub fn request(&self) {
        self.token.cancel();
        self.tasks.close();
    }

    /// Waits until every task has ended, for this long at most; returns whether all have.
    pub async fn drain(&self, time: Duration) -> bool {
        tokio::time::timeout(time, self.tasks.wait()).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn tasks_are_waited_for_but_not_for_ever() {
        let shutdown = Shutdown::default();
        let task = shutdown.tasks.spawn(shutdown.requested());
        assert!(!task.is_finished());
        shutdown.request();
        assert!(shutdown.drain(Duration::from_secs(1)).await);
        assert!(task.is_finished());
        shutdown.tasks.spawn(std::future::pending::<()>());
        assert!(!shutdown.drain(Duration::from_secs(1)).await);
    }
}
