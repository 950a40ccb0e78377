//! What an operator may do with the store, whether by command, by the socket or on the desk: each of them calls a method of
//! [`Operations`]. [`calls`] are the same methods as values that can be sent to a running server.

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

use futures_util::stream::BoxStream;

/// Records as they were at one moment, from the store or from the server that has it. Dropping it ends the reading. After an error what
/// was read is not complete: the store cannot be read, or the server broke off.
pub type RecordStream<T> = BoxStream<'static, Result<T, CallError>>;
