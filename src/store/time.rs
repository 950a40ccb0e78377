//! Times as stores keep and tell them.

use std::sync::Arc;

use jiff::Timestamp;

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
