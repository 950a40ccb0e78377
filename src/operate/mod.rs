//! The operator's actions on the store. Commands, the control socket and the desk all call the methods of [`Operations`]. [`calls`]
//! are the same methods as values that can be sent to a running server.

pub mod calls;
pub mod doctor;
mod error;
pub mod export;
pub mod funnel;
mod operations;
pub mod report;
mod retry;
pub mod statement;
pub mod view;

pub use calls::Call;
pub use error::{CallError, Refused};
pub use operations::{FoundInquiry, FoundSubscription, Operations};
pub use retry::Retried;
