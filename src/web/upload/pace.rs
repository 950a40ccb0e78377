//! How steadily an upload comes, and how much of it has come without a meaning.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// How long an upload may stand still.
pub const STALL: Duration = Duration::from_mins(1);

/// Bytes that may come before a part of a form has a head: browsers send some 200. The reader of forms keeps them in memory, and
/// looks through all of them for each that comes.
const MAX_UNREAD: usize = 16 << 10;

/// What an upload may hold in memory however slowly it comes, in steps (`limits::uploads`): what browsers make of a photo by script.
const LIGHT: usize = 4;

/// Bytes in a second, on average, that buy one that holds more another second of patience. A file of 12 MB needs three times that to
/// be complete in time.
const RATE: u64 = 4 << 10;

/// An upload's pace.
#[derive(Debug)]
pub struct Pace(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Bytes that have come since the form's reader has last made something of them.
    unread: usize,
    last_came: Instant,
    /// Until when a heavy upload is waited for.
    until: Instant,
}

impl Pace {
    /// Starts the pace of an upload.
    pub fn start() -> Self {
        let now = Instant::now();
        Self(Mutex::new(State {
            unread: 0,
            last_came: now,
            until: now + STALL,
        }))
    }

    /// Returns how long an upload that holds so many steps of memory may wait for what comes next; `None` if too much has come that means
    /// nothing.
    pub fn patience(&self, held: usize) -> Option<Duration> {
        let state = self.0.lock();
        let patience = match held {
            ..=LIGHT => STALL,
            _ => state.until.saturating_duration_since(Instant::now()),
        };
        (state.unread <= MAX_UNREAD).then_some(patience)
    }

    /// Notes that something has come.
    pub fn came(&self, bytes: usize) {
        let mut state = self.0.lock();
        let now = Instant::now();
        state.unread += bytes;
        state.last_came = now;
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let bought = Duration::from_nanos(bytes.saturating_mul(1_000_000_000 / RATE));
        state.until = (state.until.max(now) + bought).min(now + STALL);
    }

    /// Notes that the form's reader has made something of what has come.
    pub fn understood(&self) {
        self.0.lock().unread = 0;
    }

    /// Notes that the client had to wait, which is not its fault.
    pub fn resume(&self) {
        self.0.lock().until = Instant::now() + STALL;
    }

    /// Returns when something has last come.
    pub fn last_came(&self) -> Instant {
        self.0.lock().last_came
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    /// Sends so many bytes at such intervals; returns how long that is waited for, an hour at most.
    async fn endured(held: usize, bytes: usize, interval: Duration) -> Duration {
        let (pace, start) = (Pace::start(), Instant::now());
        while start.elapsed() < Duration::from_hours(1) && pace.patience(held).unwrap() >= interval {
            advance(interval).await;
            pace.came(bytes);
            pace.understood();
        }
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_holds_much_must_bring_more_than_a_byte() {
        let long = Duration::from_hours(1);
        let seconds = Duration::from_secs;
        assert!(endured(46, 1, seconds(10)).await <= seconds(80));
        assert!(endured(46, 1, seconds(59)).await <= seconds(120));
        // A photo of 12 MB in a quarter of an hour, evenly or by fits and starts, and what is half as fast.
        assert!(endured(46, 13_400, seconds(1)).await >= long);
        assert!(endured(46, 13_400 * 50, seconds(50)).await >= long);
        assert!(endured(46, 6_700, seconds(1)).await >= long);
        // Who holds little may be slow.
        assert!(endured(4, 1, seconds(59)).await >= long);
        assert_eq!(endured(4, 1, seconds(61)).await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn what_means_nothing_is_not_read_for_long() {
        let pace = Pace::start();
        pace.came(MAX_UNREAD);
        assert_eq!(pace.patience(0), Some(STALL));
        pace.came(1);
        assert_eq!(pace.patience(0), None);
        pace.understood();
        assert_eq!(pace.patience(0), Some(STALL));
    }
}
