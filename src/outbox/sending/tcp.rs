//! Connections to servers that the configuration names.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::error::SendError;

/// The time for one address of a host. A host has one per protocol family or a few; one that swallows packets must not
/// use up the time of the others.
const TIME_PER_ADDRESS: Duration = Duration::from_secs(10);

/// Connects to a host, trying its addresses one after the other, within this time in all.
///
/// # Errors
/// When none answers. All of them are transient.
pub async fn connect(host: &str, port: u16, time: Duration) -> Result<TcpStream, SendError> {
    let connected = timeout(time, try_each(host, port)).await;
    let stream = connected.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    stream
        .map_err(|error| SendError::transient(format_args!("cannot connect to {host} port {port}: {error}")))
}

async fn try_each(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in lookup_host((unbracketed(host), port)).await? {
        match timeout(TIME_PER_ADDRESS, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Ok(Err(error)) => last = error,
            Err(_) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(last)
}

/// Returns the host as the system's resolver and TLS know it: URLs put brackets around an IPv6 address.
pub fn unbracketed(host: &str) -> &str {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.unwrap_or(host)
}

/// Whether the other end of a connection is on this machine.
pub fn is_loopback(stream: &TcpStream) -> bool {
    stream
        .peer_addr()
        .is_ok_and(|peer| IpAddr::to_canonical(&peer.ip()).is_loopback())
}
