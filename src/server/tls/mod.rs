//! TLS for the public listeners: handshakes, certificates and their renewal.

pub mod acceptor;
pub mod certificate;
pub mod files;
pub mod resolver;

pub use acceptor::{Acceptor, Protocol};
pub use certificate::{Certificate, CertificateFault};
pub use files::Renewal;
pub use resolver::Resolver;
