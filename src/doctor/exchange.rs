//! One request to a server, of which only the head of the answer matters.

use std::io;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::reading::Reading;

/// For connecting, the handshake and the answer, each: longer than any visitor waits.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How much of an answer is read; its head is all that matters.
const ANSWER: u64 = 16 << 10;

/// The head of an answer.
pub struct Answer {
    text: String,
    came_at: Timestamp,
}

/// Asks for a path by HTTP/1.1.
///
/// # Errors
/// When the server does not answer in time.
pub async fn get(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    authority: &str,
    path: &str,
) -> io::Result<Answer> {
    let answer = timeout(PATIENCE, exchange(stream, authority, path)).await;
    Ok(Answer {
        text: answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?,
        came_at: Timestamp::now(),
    })
}

/// Returns whether the other end of a connection is on this machine, which then has one address for both.
pub fn is_this_machine(stream: &TcpStream) -> bool {
    let addresses = stream.peer_addr().ok().zip(stream.local_addr().ok());
    addresses.is_some_and(|(peer, local)| peer.ip() == local.ip())
}

impl Answer {
    /// Returns its status as it was sent.
    pub fn status(&self) -> &str {
        let line = self.text.lines().next();
        line.and_then(|line| line.split(' ').nth(1)).unwrap_or("nothing")
    }

    /// Returns the time that it says, as that of this server.
    pub fn reading(&self, of: impl Into<String>) -> Option<Reading> {
        let date = self.text.lines().skip(1).find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("date").then(|| value.trim())
        });
        let theirs = DateTimeParser::new().parse_timestamp(date?).ok()?;
        Some(Reading::new(of, theirs, self.came_at))
    }
}

async fn exchange(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    authority: &str,
    path: &str,
) -> io::Result<String> {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: taubenabwehr-doctor\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;
    let mut answer = Vec::new();
    let mut stream = stream.take(ANSWER);
    // Read until the head is there: what follows may not end.
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut answer).await? == 0 {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
