//! Statements of the commission that firms owe for a month, for programs and for people (`docs/behaviour.md`, "Commission and
//! statements").

mod page;
mod rows;
mod workbook;

pub use page::page;
pub use rows::{csv, firms};
pub use workbook::workbook;
