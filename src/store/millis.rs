//! Times as engines keep them.

use jiff::Timestamp;

/// Returns a time in milliseconds since 1970; 0 before.
pub fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}
