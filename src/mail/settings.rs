//! What the transport needs to know of the mail server.

use std::time::Duration;

use super::mailbox::Mailbox;

/// The mail server and how to use it, checked.
#[derive(Clone)]
pub struct MailSettings {
    /// When TLS begins.
    pub encryption: Encryption,
    /// The server's name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How to log in, if the server asks for it.
    pub credentials: Option<Credentials>,
    /// The authorities to trust in place of the system's, in PEM.
    pub authorities: Option<Vec<u8>>,
    /// Who the mails are from.
    pub from: Mailbox,
    /// The name of this machine in `EHLO`; an address stands in brackets there by itself.
    pub hello_name: String,
    /// How long to wait.
    pub times: Times,
}

/// When TLS begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// `smtp://`: by STARTTLS, which only a server on this machine may lack.
    StartTls,
    /// `smtps://`: at once.
    Implicit,
}

/// A user and a password.
#[derive(Clone)]
pub struct Credentials {
    /// The user.
    pub username: String,
    /// The password. There is no `Debug`, so that it cannot reach a log.
    pub password: String,
}

/// How long to wait for a mail server.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// For the answer to one command, the handshake, or the connection. Servers that make senders of spam wait take up to
    /// half a minute for their greeting.
    pub step: Duration,
    /// For the whole mail, so that a server that answers just in time, again and again, holds nothing up.
    pub whole: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            step: Duration::from_mins(1),
            whole: Duration::from_mins(3),
        }
    }
}
