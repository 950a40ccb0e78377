//! What the server tells systemd, or a service manager with the same protocol, and gets from it: readiness, a watchdog, sockets.

mod sockets;
mod watchdog;

pub use sockets::{InheritError, Inherited};
pub use watchdog::feed_watchdog;
