//! The ledger of acceptances: who owes the operator what. An entry outlives its inquiry and names only the firm. Everything
//! here is pure.

mod month;
mod statement;

pub use month::Month;
pub use statement::{
    Acceptance, CHANGEABLE, Closing, ClosingRefusal, FirmStatement, OutcomeRefusal, Statement,
};
