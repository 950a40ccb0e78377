//! Queued operations of any type, and their callers.

use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::store::DEADLINE;
use crate::store::map::{EngineError, Wanted};
use crate::store::operations::Operation;
use crate::store::tx::Tx;

/// A queued operation of any type. Dropping it tells the caller that the store is unavailable.
pub trait Job: Send {
    /// As [`Operation::wants`].
    fn wants(&self, wanted: &mut Wanted);

    /// Like [`Operation::apply`]; keeps the reply.
    ///
    /// # Errors
    /// As for [`Operation::apply`].
    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError>;

    /// Returns the reply of the last attempt; `None` if it failed.
    fn reply(self: Box<Self>) -> Option<JobReply>;
}

/// An operation and its caller.
pub struct Pending<O: Operation> {
    operation: O,
    caller: oneshot::Sender<O::Reply>,
    /// The runtime the caller waits on.
    runtime: Option<Handle>,
    asked_at: Instant,
    reply: Option<O::Reply>,
}

impl<O: Operation> Pending<O> {
    /// Queues an operation as of now.
    pub fn new(operation: O, caller: oneshot::Sender<O::Reply>) -> Self {
        Self {
            operation,
            caller,
            runtime: Handle::try_current().ok(),
            asked_at: Instant::now(),
            reply: None,
        }
    }
}

impl<O: Operation> Job for Pending<O> {
    fn wants(&self, wanted: &mut Wanted) {
        self.operation.wants(wanted);
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        self.reply = None;
        // The caller has been refused and would ask again, so the operation would be applied twice.
        let is_late = self.asked_at.elapsed() >= DEADLINE && !self.operation.is_made_late();
        if is_late || (self.operation.needs_caller() && self.caller.is_closed()) {
            return Ok(());
        }
        self.reply = Some(self.operation.apply(tx)?);
        Ok(())
    }

    fn reply(self: Box<Self>) -> Option<JobReply> {
        let reply = self.reply?;
        let caller = self.caller;
        Some(JobReply {
            runtime: self.runtime,
            // The caller may be gone; the operation is committed nonetheless.
            send: Box::new(move || drop(caller.send(reply))),
        })
    }
}

type Sending = Box<dyn FnOnce() + Send>;

/// A reply to a caller. Dropping it tells the caller that the store is unavailable.
pub struct JobReply {
    runtime: Option<Handle>,
    send: Sending,
}

/// Sends all replies. Each runtime is woken once, by a task that passes them on: waking it from this thread for every reply would
/// take a system call each.
pub fn send_all(replies: Vec<JobReply>) {
    let mut by_runtime: Vec<(Handle, Vec<Sending>)> = Vec::new();
    let is_one = replies.len() == 1;
    for JobReply { runtime, send } in replies {
        match runtime.filter(|_| !is_one) {
            None => send(),
            // There is one for each thread that serves visitors, and two more.
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
