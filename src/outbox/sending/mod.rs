//! What sending a mail and calling a webhook have in common: a connection with deadlines, whom to trust, and why a try
//! failed.

mod error;
pub mod http_client;
mod roots;
mod tcp;

pub use error::{Kind, SendError};
pub use roots::{roots, tls_connector};
pub use tcp::{connect, is_loopback, unbracketed};
