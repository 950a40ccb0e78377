//! The ledger of acceptances, for billing firms. An entry outlives its inquiry and names only the firm. Everything here is pure.

mod acceptance;
#[cfg(test)]
mod money_cases;
mod month;
mod statement;

pub use acceptance::{Acceptance, BilledLine, CHANGEABLE, Credit, LedgerRefusal, LineKind};
pub use month::Month;
pub use statement::{Closing, FirmStatement, Statement};
