//! Waits for conditions instead of fixed times.

use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for anything. It is far more than a busy machine needs, and twice the time until a delivery that a killed
/// server has leased is retried, so only a broken server reaches it.
pub const TIMEOUT: Duration = Duration::from_secs(90);

const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Waits for a future on a separate thread, since the calling test may be asynchronous itself.
pub fn block_on<T: Send>(future: impl Future<Output = T> + Send) -> T {
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(future)
        });
        waiting.join().unwrap()
    })
}

pub fn until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(start.elapsed() < TIMEOUT, "timed out waiting for {what}");
        thread::sleep(POLL_INTERVAL);
    }
}

pub fn until_true(what: &str, mut condition: impl FnMut() -> bool) {
    until(what, || condition().then_some(()));
}
