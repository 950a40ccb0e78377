//! The public server: listeners, their shared limits, and connections.

pub mod acme;
pub mod connection;
mod connection_limits;
pub mod deadline;
pub mod limits;
mod listener;
mod metrics_page;
mod socket;
pub mod systemd;
mod threads;
mod timed_stream;
pub mod tls;

pub use connection_limits::ConnectionLimits;
pub use limits::Limits;
pub use metrics_page::MetricsPage;
pub use socket::Listener;
pub use threads::serve;
