//! The ledger of acceptances, for billing firms. An entry outlives its inquiry and names only the firm. Everything here is pure.

mod month;
mod statement;

pub use month::Month;
pub use statement::{
    Acceptance, CHANGEABLE, Closing, ClosingRefusal, FirmStatement, OutcomeRefusal, Statement,
};
