//! TLS for the public listeners: their certificates, and how they are renewed.

pub mod certificate;
pub mod resolver;

pub use certificate::{Certificate, CertificateFault};
pub use resolver::Resolver;
