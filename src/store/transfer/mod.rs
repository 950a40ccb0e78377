//! What a store holds, whatever its engine: rows in one order, so that one engine can write what another one reads, a backup can hold
//! them, and the contents of two stores can be compared.

mod row;
mod rows;
mod tally;

pub use row::{Id, Row, Section};
pub use rows::{Batch, Rows, Take, Untaken};
pub use tally::Tally;
