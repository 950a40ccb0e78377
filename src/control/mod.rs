//! How commands reach the inquiries while a server has the file: HTTP over a Unix socket in the data
//! directory, for this user and root only. `curl --unix-socket data/control.sock http://localhost/inquiries`
//! works as well.
//!
//! Records are streamed (`/inquiries`, `/dossiers`, `/subscriptions`); everything else is an [`Operation`].

mod access;
mod backup_body;
pub mod client;
mod deadline;
mod dossier_line;
mod erasure;
mod ndjson;
mod operation;
pub mod operations;
mod packed;
mod protocol;
mod query;
mod server;
mod socket;

pub use access::{Access, Holder, Opened, access, ask_or, check};
pub use operation::Operation;
pub use server::{Served, serve};
pub use socket::Listener;
