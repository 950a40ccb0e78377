//! What a store's writer is asked for, and how its callers hear of it.

use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::read_set::ReadSet;
use super::transaction::Transaction;
use crate::referral::HandlingPolicy;
use crate::store::error::Damaged;

/// Why nothing of a batch can be stored.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A value cannot be written.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The system gives no random bits.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// One request to the writer. It may be applied more than once, until it is known that its transaction was committed.
pub trait Operation: Send + 'static {
    /// What the caller hears.
    type Reply: Send + 'static;

    /// Adds what must be read for it.
    fn read_set(&self, reads: &mut ReadSet, policy: &HandlingPolicy);

    /// Applies it to what was read, together with others. Nothing is stored yet.
    ///
    /// # Errors
    /// When nothing of the batch can be stored.
    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError>;

    /// Returns what it erases, which an engine that lists that in a file must write down before.
    fn erases(&self) -> Option<Uuid> {
        None
    }

    /// Completes the reply once it is committed, before the caller hears it, who may be gone.
    fn committed(&self, _: &mut Self::Reply) {}
}

/// An operation of any type that waits for its turn. Dropping it tells the caller that the store is unavailable.
pub trait Job: Send {
    /// As [`Operation::read_set`].
    fn read_set(&self, reads: &mut ReadSet, policy: &HandlingPolicy);

    /// As [`Operation::apply`]; keeps the reply of this attempt.
    ///
    /// # Errors
    /// As there.
    fn apply(&mut self, transaction: &mut Transaction<'_>, attempt: i32) -> Result<(), ApplyError>;

    /// As [`Operation::erases`].
    fn erases(&self) -> Option<Uuid>;

    /// Returns the reply of the attempt that was committed.
    fn reply(self: Box<Self>, attempt: i32) -> Option<Reply>;

    /// Returns when it was asked for.
    fn asked_at(&self) -> Instant;
}

/// An operation and its caller.
pub struct Pending<O: Operation> {
    operation: O,
    caller: oneshot::Sender<O::Reply>,
    /// The runtime on which the caller waits.
    runtime: Option<Handle>,
    asked_at: Instant,
    /// The reply of each attempt that may have been committed.
    replies: Vec<(i32, O::Reply)>,
}

impl<O: Operation> Pending<O> {
    /// Prepares an operation that is asked for now.
    pub fn new(operation: O, caller: oneshot::Sender<O::Reply>) -> Self {
        Self {
            operation,
            caller,
            runtime: Handle::try_current().ok(),
            asked_at: Instant::now(),
            replies: Vec::new(),
        }
    }
}

impl<O: Operation> Job for Pending<O> {
    fn read_set(&self, reads: &mut ReadSet, policy: &HandlingPolicy) {
        self.operation.read_set(reads, policy);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>, attempt: i32) -> Result<(), ApplyError> {
        let reply = self.operation.apply(transaction)?;
        self.replies.push((attempt, reply));
        Ok(())
    }

    fn erases(&self) -> Option<Uuid> {
        self.operation.erases()
    }

    fn reply(mut self: Box<Self>, attempt: i32) -> Option<Reply> {
        let at = self.replies.iter().position(|(made, _)| *made == attempt)?;
        let mut reply = self.replies.swap_remove(at).1;
        self.operation.committed(&mut reply);
        let caller = self.caller;
        Some(Reply {
            runtime: self.runtime,
            // A caller that no longer waits does not hear of it; what it asked for is done all the same.
            send: Box::new(move || drop(caller.send(reply))),
        })
    }

    fn asked_at(&self) -> Instant {
        self.asked_at
    }
}

type Sending = Box<dyn FnOnce() + Send>;

/// What a caller is told. Dropping it tells the caller that the store is unavailable.
pub struct Reply {
    runtime: Option<Handle>,
    send: Sending,
}

/// Sends all replies. Each runtime is woken once, by a task that sends those to its callers: waking it from this thread for
/// each of them would take a system call each.
pub fn send_all(replies: Vec<Reply>) {
    let mut by_runtime: Vec<(Handle, Vec<Sending>)> = Vec::new();
    let is_one = replies.len() == 1;
    for Reply { runtime, send } in replies {
        match runtime.filter(|_| !is_one) {
            None => send(),
            // There are as many as threads that serve visitors, and two more.
            Some(runtime) => match by_runtime
                .iter_mut()
                .find(|(known, _)| known.id() == runtime.id())
            {
                Some((_, group)) => group.push(send),
                None => by_runtime.push((runtime, vec![send])),
            },
        }
    }
    for (runtime, group) in by_runtime {
        runtime.spawn(async {
            for send in group {
                send();
            }
        });
    }
}
