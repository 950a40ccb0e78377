//! A single request to a server, which also reads its clock.

use std::io;
use std::time::Duration;

use http::header::{DATE, HeaderValue, USER_AGENT};
use http::{Request, StatusCode};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use tokio_rustls::TlsConnector;

use crate::outbox::sending::SendError;
use crate::outbox::sending::http_client::{Server, Stream};

/// Timeout for each of connecting, the handshake and the response. Longer than any visitor would wait.
const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum size of a response's head. Its body is not read.
const HEAD_LIMIT: usize = 16 << 10;

/// Connects to a server, with TLS if a connector is given. Also returns whether the server is on this machine.
///
/// # Errors
/// When it does not respond in time. The inner error is that of the TLS handshake.
pub async fn connect(
    server: &Server<'_>,
    tls: Option<&TlsConnector>,
) -> Result<(io::Result<Stream>, bool), SendError> {
    let stream = server.connect(PATIENCE).await?;
    // If the peer is on this machine, both ends have the same address.
    let addresses = stream.peer_addr().ok().zip(stream.local_addr().ok());
    let is_own = addresses.is_some_and(|(peer, local)| peer.ip() == local.ip());
    let stream = match tls {
        Some(tls) => {
            let encrypted = server.encrypt(stream, tls, PATIENCE).await;
            encrypted.map(|stream| Stream::Right(Box::new(stream)))
        }
        None => Ok(Stream::Left(stream)),
    };
    Ok((stream, is_own))
}

/// Requests the URL of a server. Returns the status, and how far this machine's clock is ahead of the response's `Date`.
///
/// # Errors
/// When it does not respond in time.
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

/// How far this machine's clock is ahead of a time received just now, in the format of mail and HTTP; `None` if it cannot be
/// parsed.
fn ahead_of(time: &str) -> Option<SignedDuration> {
    let time = DateTimeParser::new().parse_timestamp(time).ok()?;
    Some(Timestamp::now().duration_since(time))
}
