//! Moving everything between a file and another store.

mod read;
mod source;
mod target;
mod write;

pub use read::{ReadError, all};
pub use source::{Source, erased};
pub use target::{Target, TargetError, Written};
pub use write::RowWriter;
