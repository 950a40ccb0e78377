//! How commands reach the inquiries while a server has the file: HTTP over a Unix socket in the data
//! directory, for this user and root only. `curl --unix-socket data/control.sock http://localhost/inquiries`
//! works as well.
//!
//! A further command is one more path in [`server`] and one more function in [`client`].

pub mod client;
mod erasure;
mod query;
mod reach;
mod server;
mod socket;
mod stream;

pub use reach::{Reached, reach};
pub use server::serve;
pub use socket::Listener;

/// Path of the inquiries; `since` and `until` in the query narrow them down, `suspected` (`included` or `only`) asks for
/// those that are left out otherwise.
const INQUIRIES: &str = "/inquiries";

/// Path of an erasure: a POST of which inquiries to erase, answered by how many were.
const ERASURE: &str = "/erasure";

/// Header of the answer: how many inquiries the snapshot holds, in all.
const TOTAL: &str = "x-total-count";

/// Trailer of the answer: how many suspected inquiries of the range were left out.
const LEFT_OUT: &str = "x-left-out";

#[cfg(test)]
mod tests;
