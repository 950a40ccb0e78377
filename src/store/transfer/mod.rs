//! Everything that a store holds, as rows in one order: so that one store can write what another one has, a backup can hold it, and the
//! contents of two stores can be compared.

mod check;
mod restoring;
mod row;
mod tally;
mod target;

pub use check::{Check, check};
pub use restoring::{HeldBack, Restored, Restoring};
pub use row::{Row, copied_kinds, rows};
pub use tally::Tally;
pub use target::{Purpose, Target};
