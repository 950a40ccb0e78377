//! What firms owe for a month, as it is written for programs and for people (`docs/behaviour.md`, "Commission and statements").

mod page;
mod rows;

pub use page::{StatementError, page};
pub use rows::{FirmObject, csv, json};
