//! Sends mails by SMTP. The recipients and contents are decided elsewhere.

mod connection;
mod failure;
mod message;
mod transport;

pub use crate::base::text::mail_address::{Address, WrongAddress};
pub use connection::SmtpTimes;
pub use message::{Mailbox, Outgoing};
pub use transport::SmtpTransport;
