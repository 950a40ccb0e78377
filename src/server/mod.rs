//! The public server: listeners, the limits that they share, and the connections that they accept.

pub mod connection;
mod connection_limits;
pub mod deadline;
mod file_descriptors;
pub mod http2;
pub mod limits;
mod listener;
mod metrics_listener;
mod prompt_stream;
mod socket;
mod streams;
mod threads;
mod timed_stream;
mod tls_connection;
mod transport;

pub use connection_limits::ConnectionLimits;
pub use limits::Limits;
pub use metrics_listener::{MetricsSource, serve as serve_metrics};
pub use socket::Listener;
pub use threads::serve;
pub use transport::Transport;
