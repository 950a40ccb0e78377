//! What may happen to stored data. Each operation reads what it needs of a transaction, and leaves there what it has changed; most are
//! methods of the transaction.

mod acme;
mod desk;
mod erase;
mod insert;
mod lease;
mod ledger;
mod note;
mod pause;
mod photos;
mod subscribe;
mod tick;
mod update;

pub use acme::{AcmeChange, challenges, kept};
pub use desk::{SESSION_TIME, code_name, session_name};
pub use erase::Erase;
pub use insert::{Insert, Inserted};
pub use lease::{LeasedBatch, LeasedDelivery};
pub use subscribe::{SubscriptionChange, Wish, subscription_key};
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
