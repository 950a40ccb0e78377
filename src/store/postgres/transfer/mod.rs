//! Moving everything between a database and another store.

mod error;
mod read;
mod source;
mod target;
mod write;

pub use error::TransferError;
pub use read::{BEGIN, all};
pub use source::Source;
pub use target::{Target, Written};
