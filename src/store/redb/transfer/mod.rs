//! Moving everything between a file and another store.

mod read;
mod source;
mod target;
mod write;

pub use read::ReadError;
pub use source::Source;
pub use target::{Target, TargetError, Written};
