//! Sends mails by SMTP. The recipients and contents are decided elsewhere.

mod failure;
mod message;
mod reply;
mod session;
mod transport;

pub use crate::base::text::mail_address::{Address, WrongAddress};
pub use lettre::message::Mailbox;
pub use message::{Outgoing, mailbox};
pub use session::SmtpTimes;
pub use transport::SmtpTransport;
