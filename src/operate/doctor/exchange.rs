//! One request to a server, and what its reply says of the time.

use std::time::Duration;

use http::Request;
use http::header::{DATE, HeaderValue, USER_AGENT};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use tokio::net::TcpStream;

use crate::outbox::sending::SendError;
use crate::outbox::sending::http_client::{HttpReply, Server, Stream};

/// For connecting, the handshake and the reply, each: longer than any visitor waits.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How many bytes the head of a reply may have. Its body does not matter.
const HEAD_LIMIT: usize = 16 << 10;

/// Asks for the URL of a server.
///
/// # Errors
/// When it does not answer in time.
pub async fn get(server: &Server<'_>, stream: Stream) -> Result<HttpReply, SendError> {
    let mut request = Request::default();
    let agent = HeaderValue::from_static("taubenabwehr-doctor");
    request.headers_mut().insert(USER_AGENT, agent);
    server.exchange(stream, request, HEAD_LIMIT, PATIENCE).await
}

/// Returns whether the other end of a connection is on this machine, which then has one address for both.
pub fn is_this_machine(stream: &TcpStream) -> bool {
    let addresses = stream.peer_addr().ok().zip(stream.local_addr().ok());
    addresses.is_some_and(|(peer, local)| peer.ip() == local.ip())
}

/// What another clock said, in whole seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Whose clock it is.
    pub of: String,
    theirs: Timestamp,
    ours: Timestamp,
    /// Whether it is the clock of this machine after all.
    pub is_own: bool,
}

impl Reading {
    /// Notes what the clock of a server said, and what this machine's said then.
    pub fn new(of: impl Into<String>, theirs: Timestamp, ours: Timestamp) -> Self {
        Self {
            of: of.into(),
            theirs,
            ours,
            is_own: false,
        }
    }

    /// Returns the time in a reply that has just come; `None` if it says none.
    pub fn of_reply(of: impl Into<String>, reply: &HttpReply) -> Option<Self> {
        let date = reply.head.headers.get(DATE)?.to_str().ok()?;
        let theirs = DateTimeParser::new().parse_timestamp(date).ok()?;
        Some(Self::new(of, theirs, Timestamp::now()))
    }

    /// Notes whether that server is on this machine.
    pub fn on_this_machine(self, is_own: bool) -> Self {
        Self { is_own, ..self }
    }

    /// Returns how far this machine is ahead.
    pub fn off(&self) -> SignedDuration {
        self.ours.duration_since(self.theirs)
    }
}
