//! How commands reach the inquiries. A command sends a [`Request`] and reads a [`Reply`]: from the server that has the store, over
//! a Unix socket in its data directory, or else from the store itself, which it then opens. Both carry a request out by the same
//! code.
//!
//! On the socket a request is the JSON of a POST, for the server's user and root only; `curl --unix-socket data/control.sock
//! --json '{"inquiries":{}}' http://localhost/` works as well. Records are sent one a line.

mod access;
pub mod client;
mod deadline;
mod server;
mod socket;

pub use access::{Holder, ask_or};
pub use server::{Served, serve};
pub use socket::Listener;
