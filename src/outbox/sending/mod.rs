//! Shared parts of mails and webhooks: connections with deadlines, trusted authorities, and errors.

mod error;
pub mod http_client;

pub use error::{SendError, SendErrorKind};
pub use http_client::{connect, is_loopback, tls_connector, unbracketed};
