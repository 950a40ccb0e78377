//! The public server: listeners, their shared limits, and connections.

pub mod acme;
pub mod connection;
mod connection_limits;
pub mod deadline;
pub mod limits;
mod listener;
mod metrics_page;
pub mod systemd;
mod timed_stream;
pub mod tls;

pub use connection_limits::ConnectionLimits;
pub use limits::Limits;
pub use listener::Listener;
pub use metrics_page::MetricsPage;
