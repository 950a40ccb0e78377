//! Sending mails by SMTP. Who gets which mail is not decided here.

mod failure;
mod mailbox;
mod message;
mod settings;
mod starttls;
mod transport;

pub use mailbox::{Address, Mailbox, WrongAddress};
pub use message::Outgoing;
pub use settings::{Credentials, Encryption, MailSettings, Times};
pub use transport::Transport;
