//! Times as stores keep and tell them, and how long callers wait.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;

use super::error::Unavailable;

/// Tells the time; tests have their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Returns a time in milliseconds since 1970; 0 before.
pub fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}

/// Returns the time that a number of milliseconds since 1970 stands for.
pub fn from_millis(millis: u64) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(millis).ok()?).ok()
}

/// How long a caller waits for the disk before it hears that the store is unavailable. A visitor then has an answer
/// within 10 s.
pub const DEADLINE: Duration = Duration::from_secs(8);

/// Waits for a call to an engine, but not for ever: a disk that hangs says nothing at all.
pub async fn in_time<T, E: From<Unavailable>>(call: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    timeout(DEADLINE, call)
        .await
        .unwrap_or_else(|_| Err(Unavailable.into()))
}
