//! Work that no connection should wait behind: filling, compressing and unpacking. Connections share a thread or a few;
//! this work has threads of its own, which end when there is nothing left to do.

use std::thread;

use tokio::sync::Semaphore;
use tokio::task;

/// One at a time: it takes a millisecond or two, and on a machine with one core more would only take longer.
static SOON: Semaphore = Semaphore::const_new(1);

/// One at a time, since the best compression takes some megabytes of memory.
static SOME_TIME: Semaphore = Semaphore::const_new(1);

/// How much nicer than the rest the long work is: connections come first where cores are few.
const NICENESS: i32 = 10;

/// Runs what a visitor waits for. Returns `None` when it panicked, or when the program ends.
pub async fn soon<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Option<R> {
    let _turn = SOON.acquire().await.ok()?;
    task::spawn_blocking(work).await.ok()
}

/// Runs what nobody waits for.
pub fn some_time(work: impl FnOnce() + Send + 'static) {
    task::spawn(async {
        let Ok(turn) = SOME_TIME.acquire().await else {
            return;
        };
        let run = move || {
            // Linux has a niceness per thread. Without it, the work is only less polite.
            let _ = rustix::process::nice(NICENESS);
            work();
            drop(turn);
        };
        // Where the system has no thread left, the next request tries again.
        let _ = thread::Builder::new().name("compress".to_owned()).spawn(run);
    });
}
