//! TLS for the public listeners: handshakes, certificates, and how these are renewed.

pub mod acceptor;
pub mod certificate;
pub mod files;
pub mod renewal;
pub mod resolver;

pub use acceptor::{Acceptor, Protocol};
pub use certificate::{Certificate, CertificateFault};
pub use files::{CertificateFiles, FileFault};
pub use renewal::Renewal;
pub use resolver::Resolver;

/// What the library reports when it cannot be set up.
pub use tokio_rustls::rustls::Error as LibraryError;
/// A connection after its handshake.
pub use tokio_rustls::server::TlsStream;
