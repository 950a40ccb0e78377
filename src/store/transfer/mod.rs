//! A store's contents as rows in a fixed order, so that a store can be filled from another one, saved as a backup, and compared.

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
