//! `taubenabwehr healthcheck`: for containers and service managers.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::cli::HealthcheckArgs;

/// Time for connecting and for the answer; a healthy server needs milliseconds, a check that hangs is a failure.
const PATIENCE: Duration = Duration::from_secs(5);

/// Longest answer that is read.
const MAX_ANSWER: u64 = 4096;

/// Why the server is not healthy.
#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    /// Nobody answers.
    #[error(
        "no answer from http://{address}/healthz: {source}; is the server running, and is --listen the same?"
    )]
    Unreachable {
        /// Whom we asked.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The server answers, but cannot take inquiries.
    #[error("http://{address}/healthz answers `{answer}`: the server cannot store inquiries; see its log")]
    Unhealthy {
        /// Whom we asked.
        address: SocketAddr,
        /// First line of the answer.
        answer: String,
    },
}

/// Asks the server; `Ok` when it can take inquiries.
///
/// # Errors
/// When it does not answer, or answers that it cannot.
pub fn run(args: &HealthcheckArgs) -> Result<(), HealthError> {
    let address = reachable(args.listen);
    let answer = ask(address).map_err(|source| HealthError::Unreachable { address, source })?;
    let status = answer.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) == Some("200") {
        return Ok(());
    }
    Err(HealthError::Unhealthy {
        address,
        answer: status.chars().filter(|c| !c.is_control()).collect(),
    })
}

/// A server that listens on every address is asked on loopback.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

fn ask(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.take(MAX_ANSWER).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
