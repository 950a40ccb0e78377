//! What may happen to stored data, as the rest of the program asks for it, and as a transaction does it: an operation reads what it needs
//! of the transaction, and leaves there what it has changed.

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

/// One request to the writer. It may be applied more than once, until it is known that its transaction was committed.
pub trait Operation: Send + 'static {
    /// What the caller hears.
    type Reply: Send + 'static;

    /// Returns whether it is made even after its caller was told that the store is unavailable: it has happened.
    fn is_made_late(&self) -> bool {
        false
    }

    /// Returns whether it is not made once its caller has given up, who was told that nothing has happened.
    fn needs_caller(&self) -> bool {
        false
    }

    /// Adds what it will look up, as far as that is known: a distant engine reads it together for a whole batch.
    fn wants(&self, _: &mut Wanted) {}

    /// Applies it to the transaction. Nothing is stored yet.
    ///
    /// # Errors
    /// When the store cannot be read. What cannot be read of an entry refuses this operation alone.
    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Self::Reply, EngineError>;
}

/// A function of the transaction that needs nothing else.
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
