//! Graceful shutdown: one signal that reaches every task, and one place that waits for all of them.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The coordinator. Clones share one state: each can start tasks and await the end of the process.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    /// Starts a task that [`Self::drain`] waits for.
    pub fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.tasks.spawn(task)
    }

    /// Like [`Self::spawn`], on another runtime.
    pub fn spawn_on<F>(&self, task: F, runtime: &Handle)
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.tasks.spawn_on(task, runtime);
    }

    /// Completes when shutdown begins.
    pub fn requested(&self) -> impl Future<Output = ()> + Send + use<> {
        self.token.clone().cancelled_owned()
    }

    /// Tells every task to end.
    pub fn request(&self) {
        self.token.cancel();
        self.tasks.close();
    }

    /// Completes when shutdown has begun and every task has ended.
    pub fn drained(&self) -> impl Future<Output = ()> + Send + use<> {
        let tasks = self.tasks.clone();
        async move { tasks.wait().await }
    }

    /// Waits until every task has ended, for this long at most; returns whether all have.
    pub async fn drain(&self, time: Duration) -> bool {
        tokio::time::timeout(time, self.tasks.wait()).await.is_ok()
    }
}

/// Version and source of the build; the same for all builds of one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildInfo {
    /// The version in `Cargo.toml`.
    pub version: &'static str,
    /// The first digits of the commit; `unknown` for a build outside a checkout.
    pub commit: &'static str,
    /// The day of the commit, or of `SOURCE_DATE_EPOCH`, in UTC.
    pub date: Option<Date>,
}

/// The commit and day of a build outside a checkout.
const UNKNOWN: &str = "unknown";

impl BuildInfo {
    /// Returns what this executable was built from, as recorded by the build script.
    pub fn of_this_executable() -> Self {
        Self::new(env!("TAUBENABWEHR_BUILD_COMMIT"), env!("TAUBENABWEHR_BUILD_TIME"))
    }

    fn new(commit: &'static str, time: &str) -> Self {
        let time = time
            .parse()
            .ok()
            .and_then(|seconds| Timestamp::from_second(seconds).ok());
        Self {
            version: env!("CARGO_PKG_VERSION"),
            commit: if commit.is_empty() { UNKNOWN } else { commit },
            date: time.map(|time| time.to_zoned(TimeZone::UTC).date()),
        }
    }
}

impl fmt::Display for BuildInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({} ", self.version, self.commit)?;
        match self.date {
            Some(date) => write!(formatter, "{date})"),
            None => write!(formatter, "{UNKNOWN})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn tasks_are_waited_for_but_not_for_ever() {
        let shutdown = Shutdown::default();
        let task = shutdown.spawn(shutdown.requested());
        assert!(!task.is_finished());
        shutdown.request();
        assert!(shutdown.drain(Duration::from_secs(1)).await);
        assert!(task.is_finished());
        shutdown.spawn(std::future::pending::<()>());
        assert!(!shutdown.drain(Duration::from_secs(1)).await);
    }

    #[test]
    fn version_commit_and_day_stand_in_one_line() {
        let version = env!("CARGO_PKG_VERSION");
        let said = |commit, time| BuildInfo::new(commit, time).to_string();
        // One second before midnight in UTC, when Hamburg had the next day.
        assert_eq!(
            said("4dc32aea1b2c", "1795391999"),
            format!("{version} (4dc32aea1b2c 2026-11-22)")
        );
        assert_eq!(said("", ""), format!("{version} (unknown unknown)"));
    }
}
