//! Sending mails by SMTP. Who gets which mail is not decided here.

mod connection;
mod failure;
mod message;
mod transport;

pub use crate::base::text::mail_address::{Address, WrongAddress};
pub use connection::SmtpTimes;
pub use message::{Mailbox, Outgoing};
pub use transport::SmtpTransport;
