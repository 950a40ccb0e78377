//! What the writer does inside a transaction.

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::replies::Reply;
use crate::store::redb::transaction::Transaction;

/// One request to the writer. It applies itself to the transaction that it shares with others; its reply is sent once
/// that is committed. After an error of any of them nothing is committed, and all find the store unavailable.
pub trait Operation: Send + 'static {
    /// What the caller hears.
    type Reply: Send + 'static;

    /// Applies the operation. Nothing is durable yet.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    fn apply(self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, redb::Error>;
}

/// An operation of any type that waits for its turn. Dropping it tells the caller that the store is unavailable.
pub trait Job: Send {
    /// Applies the operation; returns its reply, to be sent after the commit.
    fn apply(self: Box<Self>, transaction: &mut Transaction<'_>) -> Result<Reply, redb::Error>;
}

/// An operation and its caller.
pub struct Pending<O: Operation> {
    /// What is to be done.
    pub operation: O,
    /// Where the caller waits.
    pub caller: oneshot::Sender<O::Reply>,
    /// The runtime on which the caller waits.
    pub runtime: Option<Handle>,
}

impl<O: Operation> Job for Pending<O> {
    fn apply(self: Box<Self>, transaction: &mut Transaction<'_>) -> Result<Reply, redb::Error> {
        let Self {
            operation,
            caller,
            runtime,
        } = *self;
        let reply = operation.apply(transaction)?;
        // A caller that no longer waits does not hear of it; what it asked for is done all the same.
        Ok(Reply::new(runtime, move || drop(caller.send(reply))))
    }
}
