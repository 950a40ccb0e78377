//! Panic handling. Some libraries panic where they should return an error: redb on some damaged files, the workbook writer on a
//! full disk. Calls into them are caught without a message on standard error. Any other panic is reported by its location only.
//! Tasks that panic are restarted, such as those that send mail and renew certificates.

use std::any::Any;
use std::cell::Cell;
use std::future::poll_fn;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::sleep;

use crate::base::text::mail_address::one_line;

thread_local! {
    /// Whether this thread is inside [`catch`], so that the hook must not report its panics.
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Installs a panic hook that reports the location of a panic but not its message, which may quote a visitor's text. Panics inside
/// [`catch`] are not reported.
pub fn report_only_location() {
    panic::set_hook(Box::new(|info| {
        if IS_CATCHING.get() {
            return;
        }
        let location = info.location().map(ToString::to_string).unwrap_or_default();
        if tracing::enabled!(tracing::Level::ERROR) {
            tracing::error!(location, "internal error; please report it");
        } else {
            // If standard error is closed, the exit code must suffice.
            let _ = writeln!(
                io::stderr(),
                "error: internal error at {location}; please report it"
            );
        }
    }));
}

/// Runs a call and turns a panic into an error with its message, on one line. Data that the call modified must not be used
/// afterwards.
pub fn catch<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    let outer = IS_CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    IS_CATCHING.set(outer);
    result.map_err(|panic| message(panic.as_ref()))
}

/// Runs a future to completion; `None` if it panics, which is reported as usual.
pub async fn caught<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let polled = panic::catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.map_or(Poll::Ready(None), |poll| poll.map(Some))
    })
    .await
}

/// Delay before a task is restarted: long enough that a task that panics at once does not burn CPU, short enough not to delay a
/// shutdown.
const PAUSE: Duration = Duration::from_secs(5);

/// Runs a task until it completes, and restarts it whenever it panics. `name` identifies it in the log.
pub async fn keep_alive(name: &str, mut task: impl AsyncFnMut()) {
    while caught(task()).await.is_none() {
        tracing::error!("{name} has stopped by a bug, and begins again; please report it");
        sleep(PAUSE).await;
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "internal error",
    };
    one_line(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch(|| 1), Ok(1));
        let caught: Result<(), String> = catch(|| panic!("torn\n  page {}", 7));
        assert_eq!(caught, Err("torn page 7".to_owned()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_begins_again_until_it_ends() {
        let mut begun = 0;
        keep_alive("counting", async || {
            begun += 1;
            tokio::task::yield_now().await;
            assert!(begun > 2, "not yet");
        })
        .await;
        assert_eq!(begun, 3);
    }
}
