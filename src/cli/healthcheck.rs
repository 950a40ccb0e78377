//! `taubenabwehr healthcheck`, for containers and service managers.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use super::CliError;
use crate::config::args::HealthcheckArgs;

/// Timeout for connecting, and for the response. A healthy server needs milliseconds, so a server that is this slow has failed.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Longest response to read.
const MAX_RESPONSE: u64 = 4096;

/// Asks the server whether it can store inquiries.
///
/// # Errors
/// When it does not respond, or cannot store inquiries.
pub fn run(args: &HealthcheckArgs) -> Result<(), CliError> {
    let listen = args.listen.first();
    let address = reachable(*listen.ok_or("no address to ask; name one with --listen")?);
    let response = ask(address).map_err(|error| {
        format!(
            "no answer from http://{address}/healthz: {error}; is the server running, and is --listen the same?"
        )
    })?;
    let status = response.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) == Some("200") {
        return Ok(());
    }
    let status: String = status.chars().filter(|c| !c.is_control()).collect();
    Err(format!(
        "http://{address}/healthz answers `{status}`: the server cannot store inquiries; see its log"
    )
    .into())
}

/// The address to connect to: loopback if the server listens on all addresses.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

fn ask(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(
        stream,
        "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut response = Vec::new();
    stream.take(MAX_RESPONSE).read_to_end(&mut response)?;
    Ok(String::from_utf8_lossy(&response).into_owned())
}
