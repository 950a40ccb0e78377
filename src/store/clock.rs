//! The store's time.

use std::sync::Arc;

use jiff::Timestamp;

/// Tells the time; tests have their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
