//! How commands reach the inquiries while a server has the file: HTTP over a Unix socket in the data
//! directory, for this user and root only. `curl --unix-socket data/control.sock http://localhost/inquiries`
//! works as well.
//!
//! A further command is one more path in [`server`] and one more function in [`client`].

mod access;
pub mod client;
mod deadline;
mod erasure;
mod ndjson;
mod protocol;
mod query;
mod server;
mod socket;

pub use access::{Access, access};
pub use server::serve;
pub use socket::Listener;
