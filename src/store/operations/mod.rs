//! The operations on stored data, both as methods of the store and as steps of a transaction: an operation reads through the
//! transaction, and puts its changes there.

mod acme;
pub mod desk;
pub mod erase;
mod firms;
pub mod insert;
mod lease;
mod ledger;
mod photos;
mod reviews;
pub mod subscribe;
mod tick;
mod update;
mod upkeep;

pub use acme::AcmeChange;
pub use desk::SESSION_TIME;
pub use erase::Erasure;
pub use insert::Inserted;
pub use lease::{LeasedBatch, LeasedDelivery};
pub use reviews::ReviewChanges;
pub use subscribe::SubscriptionChange;
pub use update::Update;

use super::map::{EngineError, Wanted};
use super::tx::Tx;

/// A request to the writer. It may be applied repeatedly until its transaction is known to be committed.
pub trait Operation: Send + 'static {
    /// The caller's reply.
    type Reply: Send + 'static;

    /// Whether it is applied even after its caller was told that the store is unavailable, because it records what has already
    /// happened.
    fn is_made_late(&self) -> bool {
        false
    }

    /// Whether it is dropped once its caller has given up, because that caller was told that nothing happened.
    fn needs_caller(&self) -> bool {
        false
    }

    /// Adds the keys it will look up, as far as they are known: a remote engine reads those of a whole batch together.
    fn wants(&self, _: &mut Wanted) {}

    /// Applies it to the transaction. Nothing is stored yet.
    ///
    /// # Errors
    /// When the store cannot be read. An unreadable entry fails only this operation.
    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError>;
}

/// A function of the transaction, for operations without special needs.
impl<R, F> Operation for F
where
    R: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<R, EngineError> + Send + 'static,
{
    type Reply = R;

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<R, EngineError> {
        self(tx)
    }
}
