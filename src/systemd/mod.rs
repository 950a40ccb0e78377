//! What systemd, or any service manager that speaks as it does, is told and passes on: readiness, a watchdog, sockets.

pub mod notify;
mod sockets;
mod watchdog;

pub use sockets::{InheritError, Inherited};
pub use watchdog::feed_watchdog;
