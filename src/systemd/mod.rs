//! What the server tells systemd, or a service manager with the same protocol, and gets from it: readiness, a watchdog, sockets.

pub mod notify;
mod sockets;
mod watchdog;

pub use sockets::{InheritError, Inherited};
pub use watchdog::feed_watchdog;
