//! What an operator may do with the store, whether by command, by the socket or on the desk.

mod backend;
mod body;
mod carry_out;
pub mod doctor;
mod error;
pub mod export;
pub mod funnel;
mod reply;
pub mod report;
mod request;
mod retry;
pub mod statement;
pub mod view;

pub use backend::{Backend, OwnStore, ask, find, find_by, records, subscriptions};
pub use body::Body;
pub use error::{AskError, RequestError};
pub use reply::Reply;
pub use request::{FoundInquiry, FoundSubscription, Request, Retried, Tokens};

/// Header of a response: how many inquiries the store holds, in all.
pub const TOTAL: &str = "x-total-count";

/// Trailer of a response: how many suspected inquiries of the range were left out.
pub const LEFT_OUT: &str = "x-left-out";
