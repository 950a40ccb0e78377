//! The one task of an instance that writes: it takes everything that waits, commits it in one transaction, and only then
//! replies (group commit). One sync of the database serves the whole batch.

mod claim;
mod commit;
mod count;
mod insert;
mod load;
mod needs;
mod operation;
mod room;
mod save;
mod state;
mod subscribe;
mod transaction;
mod update;

pub use claim::{FindDue, Tick};
pub use count::{Count, NoteFact};
pub use insert::InsertOnce;
pub use operation::Operation;
pub use state::{Parts, State};
pub use subscribe::SubscriptionChange;

use std::sync::Arc;
use std::time::Instant;

use parking_lot::RwLock;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

use crate::referral::Plan;
use crate::store::error::Unavailable;
use operation::{Job, Pending};

/// Requests that may wait. Fewer than the server has connections, so that a database that has become slow is answered by
/// 503 at once, and not by connections that all wait.
const LIMIT: usize = 1024;

/// What the writer is asked for.
pub enum Message {
    /// An operation that is committed together with others.
    Write(Box<dyn Job>),
    /// Inquiries are handled by this plan from now on.
    Follow(Arc<Plan>),
}

/// Where requests to the writer go.
pub struct Writer {
    /// `None` once stopped: without a sender the task ends when the queue is empty.
    queue: RwLock<Option<Sender<Message>>>,
}

impl Writer {
    /// Creates the queue; its other end is for [`State`].
    pub fn new() -> (Self, Receiver<Message>) {
        let (queue, requests) = channel(LIMIT);
        let writer = Self {
            queue: RwLock::new(Some(queue)),
        };
        (writer, requests)
    }

    /// Has an operation applied; returns its reply once it is committed.
    ///
    /// # Errors
    /// When the queue is full, the writer is stopped, or the database cannot be written.
    pub async fn apply<O: Operation>(&self, operation: O) -> Result<O::Reply, Unavailable> {
        let (caller, reply) = oneshot::channel();
        self.send(Message::Write(Box::new(pending(operation, caller))))?;
        reply.await.map_err(|_| Unavailable)
    }

    /// Has inquiries handled by a plan that are asked for from now on.
    pub fn follow(&self, plan: Arc<Plan>) -> Result<(), Unavailable> {
        self.send(Message::Follow(plan))
    }

    /// Takes no more requests. What is in the queue is done.
    pub fn stop(&self) {
        drop(self.queue.write().take());
    }

    fn send(&self, message: Message) -> Result<(), Unavailable> {
        let queue = self.queue.read();
        let queue = queue.as_ref().ok_or(Unavailable)?;
        queue.try_send(message).map_err(|_| Unavailable)
    }
}

fn pending<O: Operation>(operation: O, caller: oneshot::Sender<O::Reply>) -> Pending<O> {
    Pending {
        operation,
        caller,
        asked_at: Instant::now(),
        replies: Vec::new(),
    }
}
