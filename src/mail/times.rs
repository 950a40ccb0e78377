//! How long to wait for a mail server.

use std::time::Duration;

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
