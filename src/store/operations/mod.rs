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
pub use desk::{CODE_TIME, LONG_SESSION_TIME, SESSION_TIME};
pub use erase::Erasure;
pub use insert::Inserted;
pub use lease::{LeasedBatch, LeasedDelivery};
