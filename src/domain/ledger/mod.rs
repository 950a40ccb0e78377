//! The ledger of acceptances: who owes the operator what. An entry outlives its inquiry and names only the firm. Everything
//! here is pure.

mod acceptance;
mod closing;
mod month;
mod statement;

pub use acceptance::{Acceptance, CHANGEABLE, OutcomeRefusal};
pub use closing::{Closing, ClosingRefusal};
pub use month::{Month, NotAMonth};
pub use statement::{FirmStatement, Line, Statement};
