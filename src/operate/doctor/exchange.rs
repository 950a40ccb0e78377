//! One request to a server, and what its reply says of the time.

use std::io;
use std::time::Duration;

use http::header::{DATE, HeaderValue, USER_AGENT};
use http::{Request, StatusCode};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::outbox::sending::SendError;
use crate::outbox::sending::http_client::{Server, Stream};

/// For connecting, the handshake and the reply, each: longer than any visitor waits.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How many bytes the head of a reply may have. Its body does not matter.
const HEAD_LIMIT: usize = 16 << 10;

/// Connects to a server, by TLS if that is given; returns whether it is this machine, too.
///
/// # Errors
/// When it does not answer in time; within, when it is not who it should be.
pub async fn connect(
    server: &Server<'_>,
    tls: Option<&TlsConnector>,
) -> Result<(io::Result<Stream>, bool), SendError> {
    let stream = server.connect(PATIENCE).await?;
    let is_own = is_this_machine(&stream);
    let stream = match tls {
        Some(tls) => {
            let encrypted = server.encrypt(stream, tls, PATIENCE).await;
            encrypted.map(|stream| Stream::Right(Box::new(stream)))
        }
        None => Ok(Stream::Left(stream)),
    };
    Ok((stream, is_own))
}

/// Asks for the URL of a server; returns the status of its reply, and the time in it.
///
/// # Errors
/// When it does not answer in time.
pub async fn get(
    server: &Server<'_>,
    stream: Stream,
) -> Result<(StatusCode, Option<SignedDuration>), SendError> {
    let mut request = Request::default();
    let agent = HeaderValue::from_static("taubenabwehr-doctor");
    request.headers_mut().insert(USER_AGENT, agent);
    let reply = server.exchange(stream, request, HEAD_LIMIT, PATIENCE).await?;
    let date = reply.head.headers.get(DATE).and_then(|date| date.to_str().ok());
    Ok((reply.head.status, date.and_then(ahead_of)))
}

/// Whether the other end of a connection is on this machine, which then has one address for both.
pub fn is_this_machine(stream: &TcpStream) -> bool {
    let addresses = stream.peer_addr().ok().zip(stream.local_addr().ok());
    addresses.is_some_and(|(peer, local)| peer.ip() == local.ip())
}

/// Returns how far this machine's clock is ahead of a time that has just come, in the format of mails and HTTP; `None` if it is none.
pub fn ahead_of(time: &str) -> Option<SignedDuration> {
    let time = DateTimeParser::new().parse_timestamp(time).ok()?;
    Some(Timestamp::now().duration_since(time))
}
