//! Tracks how steadily an upload arrives, and how much of it the form parser cannot use yet.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// How long an upload may stall.
pub const STALL: Duration = Duration::from_mins(1);

/// Bytes that may arrive before the head of a form part is complete; browsers send about 200. The form parser buffers them, and
/// searches the whole buffer whenever more arrive.
const MAX_UNREAD: usize = 16 << 10;

/// Memory, in steps (`limits::uploads`), up to which an upload may be as slow as it likes: enough for a photo that the browser has
/// scaled down by script.
const LIGHT: usize = 4;

/// Average bytes per second that an upload with more memory must send to keep going. A file of 12 MB needs three times that to
/// finish in time.
const RATE: u64 = 4 << 10;

/// The pace of an upload.
#[derive(Debug)]
pub struct Pace(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Bytes received since the form parser last made progress.
    unread: usize,
    last_came: Instant,
    /// Deadline of an upload with much memory.
    until: Instant,
}

impl Pace {
    /// Starts tracking an upload.
    pub fn start() -> Self {
        let now = Instant::now();
        Self(Mutex::new(State {
            unread: 0,
            last_came: now,
            until: now + STALL,
        }))
    }

    /// How long to wait for the next data of an upload that holds `held` steps of memory. `None` if too much has arrived that the
    /// form parser cannot use.
    pub fn patience(&self, held: usize) -> Option<Duration> {
        let state = self.0.lock();
        let patience = match held {
            ..=LIGHT => STALL,
            _ => state.until.saturating_duration_since(Instant::now()),
        };
        (state.unread <= MAX_UNREAD).then_some(patience)
    }

    /// Records that data has arrived.
    pub fn came(&self, bytes: usize) {
        let mut state = self.0.lock();
        let now = Instant::now();
        state.unread += bytes;
        state.last_came = now;
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let bought = Duration::from_nanos(bytes.saturating_mul(1_000_000_000 / RATE));
        state.until = (state.until.max(now) + bought).min(now + STALL);
    }

    /// Records that the form parser has made progress.
    pub fn understood(&self) {
        self.0.lock().unread = 0;
    }

    /// Restarts the deadline, since the client had to wait for the server.
    pub fn resume(&self) {
        self.0.lock().until = Instant::now() + STALL;
    }

    /// When data last arrived.
    pub fn last_came(&self) -> Instant {
        self.0.lock().last_came
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    /// Sends `bytes` at every `interval`, and returns how long the upload is tolerated, up to an hour.
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
        // A photo of 12 MB in a quarter of an hour, steadily or in bursts, and half that rate.
        assert!(endured(46, 13_400, seconds(1)).await >= long);
        assert!(endured(46, 13_400 * 50, seconds(50)).await >= long);
        assert!(endured(46, 6_700, seconds(1)).await >= long);
        // An upload with little memory may be slow.
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
