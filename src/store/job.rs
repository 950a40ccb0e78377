//! Queued operations of any type, and their callers.

use std::time::Instant;

use tokio::sync::oneshot;

use crate::store::DEADLINE;
use crate::store::map::{EngineError, Wanted};
use crate::store::operations::Operation;
use crate::store::tx::Tx;

/// A queued operation of any type. Dropping it tells the caller that the store is unavailable.
pub trait Job: Send {
    /// Like [`Operation::wants`].
    fn wants(&self, wanted: &mut Wanted);

    /// Like [`Operation::apply`]; keeps the reply.
    ///
    /// # Errors
    /// As for [`Operation::apply`].
    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError>;

    /// Sends the reply of the last attempt, if it succeeded.
    fn reply(self: Box<Self>);
}

/// An operation and its caller.
pub struct Pending<O: Operation> {
    operation: O,
    caller: oneshot::Sender<O::Reply>,
    asked_at: Instant,
    reply: Option<O::Reply>,
}

impl<O: Operation> Pending<O> {
    /// Queues an operation as of now.
    pub fn new(operation: O, caller: oneshot::Sender<O::Reply>) -> Self {
        Self {
            operation,
            caller,
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

    fn reply(self: Box<Self>) {
        if let Some(reply) = self.reply {
            // The caller may be gone; the operation is committed nonetheless.
            let _ = self.caller.send(reply);
        }
    }
}
