//! Waiting for a condition instead of for a time.

use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for anything: far above what a busy machine needs, so that only a broken server meets it.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Pause between two looks at a condition that nobody announces.
const LOOK: Duration = Duration::from_millis(5);

/// Waits until `condition` gives something.
pub fn until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(LOOK);
    }
}
