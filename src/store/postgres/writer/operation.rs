//! What the writer does inside a transaction.

use std::time::Instant;

use tokio::sync::oneshot;

use super::needs::Needs;
use super::transaction::Transaction;
use crate::referral::Plan;
use crate::store::postgres::error::Error;

/// One request to the writer. It says what must be read for it, and applies itself to what was read, together with others.
/// That may happen more than once, until it is known that the transaction was committed.
pub trait Operation: Send + 'static {
    /// What the caller hears.
    type Reply: Send + 'static;

    /// Adds what must be read.
    fn gather(&self, needs: &mut Needs, plan: &Plan);

    /// Applies the operation. Nothing is stored yet.
    ///
    /// # Errors
    /// When nothing of the batch can be stored.
    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, Error>;

    /// Completes the reply once it is committed, before the caller hears it, who may be gone.
    fn committed(&self, _: &mut Self::Reply) {}
}

/// An operation of any type that waits for its turn. Dropping it tells the caller that the store is unavailable.
pub trait Job: Send {
    /// As [`Operation::gather`].
    fn gather(&self, needs: &mut Needs, plan: &Plan);

    /// As [`Operation::apply`]; keeps the reply of this attempt.
    fn apply(&mut self, transaction: &mut Transaction<'_>, attempt: i32) -> Result<(), Error>;

    /// Sends the reply of the attempt that was committed.
    fn answer(self: Box<Self>, attempt: i32);

    /// Returns when it was asked for.
    fn asked_at(&self) -> Instant;
}

/// An operation and its caller.
pub struct Pending<O: Operation> {
    /// What is to be done.
    pub operation: O,
    /// Where the caller waits.
    pub caller: oneshot::Sender<O::Reply>,
    /// When it was asked for.
    pub asked_at: Instant,
    /// The reply of each attempt that may have been committed.
    pub replies: Vec<(i32, O::Reply)>,
}

impl<O: Operation> Job for Pending<O> {
    fn gather(&self, needs: &mut Needs, plan: &Plan) {
        self.operation.gather(needs, plan);
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>, attempt: i32) -> Result<(), Error> {
        let reply = self.operation.apply(transaction)?;
        self.replies.push((attempt, reply));
        Ok(())
    }

    fn answer(mut self: Box<Self>, attempt: i32) {
        if let Some(at) = self.replies.iter().position(|(made, _)| *made == attempt) {
            // A caller that no longer waits does not hear of it; what it asked for is done all the same.
            let mut reply = self.replies.swap_remove(at).1;
            self.operation.committed(&mut reply);
            drop(self.caller.send(reply));
        }
    }

    fn asked_at(&self) -> Instant {
        self.asked_at
    }
}
