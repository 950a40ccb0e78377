//! One read for all who ask at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

/// A read that callers share. Each caller gets the result of a read that began after its call, and callers that wait at the same time
/// get the result of one read.
#[derive(Debug)]
pub struct SharedRead<T> {
    /// How many reads were begun.
    begun: AtomicU64,
    /// The number and the result of the last read that has ended. The caller that reads holds the lock.
    last: Mutex<(u64, Option<T>)>,
}

impl<T: Clone> SharedRead<T> {
    /// Prepares reads; nothing is read yet.
    pub fn new() -> Self {
        Self {
            begun: AtomicU64::new(0),
            last: Mutex::new((0, None)),
        }
    }

    /// Returns what `read` finds, or what another caller's has found that began after this call.
    pub async fn get(&self, read: impl Future<Output = T>) -> T {
        // A read that has begun by now may have missed what this caller asks about.
        let before = self.begun.load(Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if let (number, Some(found)) = &*last
            && *number > before
        {
            return found.clone();
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let found = read.await;
        *last = (number, Some(found.clone()));
        found
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures_util::future::join_all;
    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn those_who_wait_share_the_next_read_and_never_one_that_had_begun() {
        let shared = SharedRead::new();
        let (end_first, first_ends) = oneshot::channel();
        let reads = AtomicUsize::new(0);
        let first = shared.get(async {
            first_ends.await.unwrap();
            "before"
        });
        let later = async {
            yield_now().await;
            let later = (0..5).map(|_| {
                shared.get(async {
                    reads.fetch_add(1, Ordering::Relaxed);
                    "after"
                })
            });
            let later = join_all(later);
            end_first.send(()).unwrap();
            later.await
        };
        let (first, later) = tokio::join!(first, later);
        assert_eq!((first, later), ("before", vec!["after"; 5]));
        assert_eq!(reads.into_inner(), 1);
        assert_eq!(shared.get(async { "again" }).await, "again");
    }

    #[tokio::test]
    async fn a_reader_that_goes_away_leaves_the_read_to_the_next_one() {
        let shared = SharedRead::new();
        let gone = shared.get(std::future::pending());
        let next = shared.get(async { 2 });
        let mut gone = Box::pin(gone);
        assert!(futures_util::poll!(&mut gone).is_pending());
        let mut next = Box::pin(next);
        assert!(futures_util::poll!(&mut next).is_pending());
        drop(gone);
        assert_eq!(next.await, 2);
    }
}
