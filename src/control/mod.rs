//! How commands reach the inquiries. A command sends a [`Request`] and reads a [`Reply`]: from the server that has the store, over
//! a Unix socket in its data directory, or else from the store itself, which it then opens. Both carry a request out by the same
//! code.
//!
//! On the socket a request is the JSON of a POST, for the server's user and root only; `curl --unix-socket data/control.sock
//! --json '{"inquiries":{}}' http://localhost/` works as well. Records are sent one a line.

mod access;
mod body;
mod carry_out;
pub mod client;
mod deadline;
mod error;
mod reply;
mod request;
mod retry;
mod server;
mod socket;

pub use access::{Asked, Holder, OwnStore, ask, ask_or, find, find_by, records, subscriptions};
pub use error::{AskError, RequestError};
pub use reply::Reply;
pub use request::{FoundInquiry, FoundSubscription, Request, Retried, Tokens};
pub use server::{Served, serve};
pub use socket::Listener;

/// Header of a response: how many inquiries the store holds, in all.
const TOTAL: &str = "x-total-count";

/// Trailer of a response: how many suspected inquiries of the range were left out.
const LEFT_OUT: &str = "x-left-out";
