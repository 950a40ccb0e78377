//! Sending mails by SMTP. Who gets which mail is not decided here.

mod failure;
mod mailbox;
mod message;
mod starttls;
mod times;
mod transport;

pub use crate::mail_address::{Address, WrongAddress};
pub use mailbox::Mailbox;
pub use message::Outgoing;
pub use times::Times;
pub use transport::{Receipt, Transport};
