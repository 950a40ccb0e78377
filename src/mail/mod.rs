//! Sending mails by SMTP. Who gets which mail is not decided here.

mod failure;
mod mailbox;
mod message;
mod starttls;
mod times;
mod transport;

pub use mailbox::{Address, Mailbox, WrongAddress};
pub use message::Outgoing;
pub use times::Times;
pub use transport::{Receipt, Transport};
