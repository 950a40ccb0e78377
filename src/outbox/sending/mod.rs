//! What mails and webhooks have in common: a connection with deadlines, trusted authorities, and why an attempt
//! failed.

mod error;
pub mod http_client;

pub use error::{SendError, SendErrorKind};
pub use http_client::{LazyTls, connect, is_loopback, tls_connector, unbracketed};
