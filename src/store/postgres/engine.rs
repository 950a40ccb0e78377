//! The thread that talks to the database, with a runtime of its own: whoever calls the store may be on any.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{oneshot, watch};

use super::OpenError;
use super::error::Error;
use super::reads::Reads;
use super::writer::{Message, State};
use crate::panic_guard;
use crate::store::error::Unavailable;

/// How long dropping the store waits for what is under way.
const DROP_WAIT: Duration = Duration::from_secs(5);

/// The thread.
pub struct Engine {
    runtime: Handle,
    has_ended: watch::Receiver<bool>,
    /// The same for a caller that blocks. `None` once somebody has waited.
    end: Mutex<Option<Receiver<()>>>,
}

impl Engine {
    /// Starts the thread; the receiver hears whether the database was reached.
    pub fn start(
        state: State,
        requests: tokio::sync::mpsc::Receiver<Message>,
        reads: Arc<Reads>,
    ) -> Result<(Self, oneshot::Receiver<Result<(), Error>>), OpenError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(OpenError::Thread)?;
        let handle = runtime.handle().clone();
        let (opened, has_opened) = oneshot::channel();
        let (ended, has_ended) = watch::channel(false);
        let (ends, end) = sync_channel(0);
        let run = move || {
            let work = || {
                runtime.block_on(async {
                    state.run(requests, opened).await;
                    reads.close().await;
                });
                // Looking up a host's name may hang, and nothing depends on it.
                runtime.shutdown_background();
            };
            if let Err(panic) = panic_guard::catch(work) {
                tracing::error!(error = %panic, "the store's writer ended by a panic");
            }
            ended.send_replace(true);
            drop(ends);
        };
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(run)
            .map_err(OpenError::Thread)?;
        let engine = Self {
            runtime: handle,
            has_ended,
            end: Mutex::new(Some(end)),
        };
        Ok((engine, has_opened))
    }

    /// Does something on the thread.
    ///
    /// # Errors
    /// When the thread has ended.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Unavailable> {
        if *self.has_ended.borrow() {
            return Err(Unavailable);
        }
        self.runtime.spawn(work).await.map_err(|_| Unavailable)
    }

    /// Waits for the end of the thread, whose requests were stopped; returns whether it came in time.
    pub async fn ended(&self, within: Duration) -> bool {
        let mut has_ended = self.has_ended.clone();
        let ended = has_ended.wait_for(|&has_ended| has_ended);
        let in_time = tokio::time::timeout(within, ended).await.is_ok();
        // Dropping the store need not wait again.
        drop(self.end.lock().take());
        in_time
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(end) = self.end.lock().take()
            && end.recv_timeout(DROP_WAIT) == Err(RecvTimeoutError::Timeout)
        {
            tracing::error!("the store was not closed, the database does not answer");
        }
    }
}
