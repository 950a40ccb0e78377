//! The public server: listeners, the limits that they share, and the connections that they accept.

pub mod acme;
pub mod connection;
mod connection_limits;
pub mod deadline;
mod file_descriptors;
pub mod http2;
pub mod limits;
mod listener;
mod metrics_listener;
mod socket;
mod streams;
pub mod systemd;
mod threads;
mod timed_stream;
pub mod tls;
mod tls_connection;

pub use connection_limits::ConnectionLimits;
pub use limits::Limits;
pub use metrics_listener::{MetricsSource, serve as serve_metrics};
pub use socket::{Listener, Transport};
pub use threads::serve;
