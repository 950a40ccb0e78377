//! Everything that a store holds, as rows in one order: so that one store can write what another one has, a backup can hold it, and the
//! contents of two stores can be compared.

mod backup;
mod check;
mod copy;
mod error;
mod restoring;
mod row;

pub use backup::{Backup, RowSource, pack};
pub use check::{Findings, check};
pub use copy::{copy, restore};
pub use error::TransferError;
pub use restoring::Restored;
pub use row::RowTally;
