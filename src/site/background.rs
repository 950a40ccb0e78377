//! Work that must not block a connection: filling and compressing. Connections share a thread or a few; this work has two
//! threads of its own, which end when there has been nothing to do for a while.
//!
//! They are two, not one for each piece of work: the system's allocator keeps memory for every thread that there is at a
//! time, a megabyte or two after one has compressed a page.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tokio::sync::{Semaphore, oneshot};
use tokio::task;

/// Does what a visitor waits for, which takes a few milliseconds.
static BACKGROUND: Worker = Worker::new("fill", 0);

/// Does what nobody waits for, and what takes long. It yields to connections where cores are few.
static IDLE: Worker = Worker::new("compress", 10);

/// How many pieces of work that visitors wait for are queued at once. For each of them a thread waits.
const AT_ONCE: usize = 4;

static PLACES: Semaphore = Semaphore::const_new(AT_ONCE);

/// How long a thread waits for more. After a start, pages are asked for one after the other.
const PATIENCE: Duration = Duration::from_secs(10);

/// A piece of work.
type Work = Box<dyn FnOnce() + Send>;

/// A thread that does one piece of work after the other, and is there only while there is some.
struct Worker {
    name: &'static str,
    niceness: i32,
    queue: Mutex<Queue>,
    has_work: Condvar,
}

struct Queue {
    work: VecDeque<Work>,
    is_running: bool,
}

/// Runs what a visitor waits for. Returns `None` when it panicked, or when the system has no thread left.
pub async fn run_background<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Option<R> {
    // Whoever leaves while it waits here leaves nothing behind.
    let _place = PLACES.acquire().await.ok()?;
    let (done, is_done) = oneshot::channel();
    let run = move || {
        // Whoever waited may have left.
        if !done.is_closed() {
            let _ = done.send(work());
        }
    };
    BACKGROUND.push(Box::new(run)).ok()?;
    // On a thread of the runtime, which then knows that something is under way. A clock that stands still, as in tests, would
    // otherwise jump to the deadline of the request.
    task::spawn_blocking(move || is_done.blocking_recv().ok())
        .await
        .ok()
        .flatten()
}

/// Runs what nobody waits for. Where the system has no thread left, it runs with the next.
pub fn run_idle(work: impl FnOnce() + Send + 'static) {
    let _ = IDLE.push(Box::new(work));
}

impl Worker {
    const fn new(name: &'static str, niceness: i32) -> Self {
        Self {
            name,
            niceness,
            queue: Mutex::new(Queue {
                work: VecDeque::new(),
                is_running: false,
            }),
            has_work: Condvar::new(),
        }
    }

    fn push(&'static self, work: Work) -> io::Result<()> {
        let mut queue = self.queue.lock();
        queue.work.push_back(work);
        if queue.is_running {
            self.has_work.notify_one();
            return Ok(());
        }
        let started = thread::Builder::new()
            .name(self.name.to_owned())
            .spawn(|| self.run());
        queue.is_running = started.is_ok();
        started.map(drop)
    }

    fn run(&self) {
        if self.niceness > 0 {
            // Linux has a niceness per thread. Without it, the work is only less polite.
            let _ = rustix::process::nice(self.niceness);
        }
        while let Some(work) = self.next() {
            // A panic drops the sender, and so the receiver hears of it.
            let _ = catch_unwind(AssertUnwindSafe(work));
        }
    }

    /// Waits for more work; `None` when none has come.
    fn next(&self) -> Option<Work> {
        let mut queue = self.queue.lock();
        loop {
            if let Some(work) = queue.work.pop_front() {
                return Some(work);
            }
            let waited = self.has_work.wait_for(&mut queue, PATIENCE);
            if waited.timed_out() && queue.work.is_empty() {
                queue.is_running = false;
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Barrier};

    use super::*;

    #[tokio::test]
    async fn work_that_panics_stops_nothing_else() {
        assert_eq!(run_background(|| 1).await, Some(1));
        assert_eq!(run_background(|| -> u8 { panic!("broken") }).await, None);
        assert_eq!(run_background(|| 2).await, Some(2));
    }

    #[tokio::test]
    async fn nothing_is_made_for_who_has_left() {
        let begin = Arc::new(Barrier::new(2));
        let first = Arc::clone(&begin);
        let mut busy = vec![tokio::spawn(run_background(move || {
            first.wait();
        }))];
        busy.extend((0..8).map(|_| tokio::spawn(run_background(|| ()))));
        let was_made = Arc::new(AtomicBool::new(false));
        let made = Arc::clone(&was_made);
        let left = tokio::spawn(run_background(move || made.store(true, Ordering::Relaxed)));
        // Once each has been polled, the last waits behind the others.
        task::yield_now().await;
        left.abort();
        assert!(left.await.is_err());
        task::spawn_blocking(move || begin.wait()).await.unwrap();
        for busy in busy {
            assert_eq!(busy.await.unwrap(), Some(()));
        }
        assert_eq!(run_background(|| 1).await, Some(1));
        assert!(!was_made.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn one_thread_does_all_of_it() {
        let name = || {
            (
                thread::current().name().map(str::to_owned),
                thread::current().id(),
            )
        };
        let (first, second) = tokio::join!(run_background(name), run_background(name));
        assert_eq!(first, second);
        assert_eq!(first.unwrap().0.as_deref(), Some("fill"));
    }
}
