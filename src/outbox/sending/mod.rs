//! What mails and webhooks have in common: a connection with deadlines, trusted authorities, and why an attempt
//! failed.

mod error;
pub mod http_client;
mod roots;
mod tcp;

pub use error::{Kind, SendError};
pub use roots::{roots, tls_connector};
pub use tcp::{connect, is_loopback, unbracketed};
