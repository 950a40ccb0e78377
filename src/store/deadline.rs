//! How long callers wait.

use std::time::Duration;

use tokio::time::timeout;

use super::error::Unavailable;

/// How long a caller waits for the disk before it hears that the store is unavailable. A visitor then has an answer
/// within 10 s.
pub const DEADLINE: Duration = Duration::from_secs(8);

/// Waits for a call to an engine, but not for ever: a disk that hangs says nothing at all.
pub async fn in_time<T, E: From<Unavailable>>(call: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    timeout(DEADLINE, call)
        .await
        .unwrap_or_else(|_| Err(Unavailable.into()))
}
