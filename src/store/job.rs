//! Queued operations of any type, and their callers.

use std::time::Instant;

use tokio::sync::oneshot;

use crate::store::DEADLINE;
use crate::store::map::{EngineError, EntryKind, Key};
use crate::store::tx::Tx;

/// How the writer treats an operation.
#[derive(Debug, Default)]
pub struct JobTerms {
    /// A key that it will look up: a remote engine reads the keys of a whole batch together.
    pub wants: Option<(EntryKind, Key)>,
    /// Whether it is applied even after its caller was told that the store is unavailable, because it records what has already
    /// happened.
    pub is_made_late: bool,
    /// Whether it is dropped once its caller has given up, because that caller was told that nothing happened.
    pub needs_caller: bool,
}

/// A queued operation of any type. Dropping it tells the caller that the store is unavailable.
pub trait Job: Send {
    /// Its terms.
    fn terms(&self) -> &JobTerms;

    /// Applies it to the transaction and keeps the reply. Nothing is stored yet, and it may be applied repeatedly until its
    /// transaction is known to be committed.
    ///
    /// # Errors
    /// When the store cannot be read. An unreadable entry fails only this operation.
    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError>;

    /// Sends the reply of the last attempt, if it succeeded.
    fn reply(self: Box<Self>);
}

/// An operation and its caller.
pub struct Pending<F, R> {
    terms: JobTerms,
    operation: F,
    caller: oneshot::Sender<R>,
    asked_at: Instant,
    reply: Option<R>,
}

impl<F, R> Pending<F, R> {
    /// Queues an operation as of now.
    pub fn new(terms: JobTerms, operation: F, caller: oneshot::Sender<R>) -> Self {
        Self {
            terms,
            operation,
            caller,
            asked_at: Instant::now(),
            reply: None,
        }
    }
}

impl<F, R: Send> Job for Pending<F, R>
where
    F: FnMut(&mut Tx<'_>) -> Result<R, EngineError> + Send,
{
    fn terms(&self) -> &JobTerms {
        &self.terms
    }

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<(), EngineError> {
        self.reply = None;
        // The caller was refused and will ask again, so the operation would be applied twice.
        let is_late = self.asked_at.elapsed() >= DEADLINE && !self.terms.is_made_late;
        if is_late || (self.terms.needs_caller && self.caller.is_closed()) {
            return Ok(());
        }
        self.reply = Some((self.operation)(tx)?);
        Ok(())
    }

    fn reply(self: Box<Self>) {
        if let Some(reply) = self.reply {
            // The caller may be gone; the operation is committed nonetheless.
            let _ = self.caller.send(reply);
        }
    }
}
