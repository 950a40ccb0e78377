//! The public listeners, and the loop that accepts connections from one of them.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use rustix::net::{SocketFlags, acceptfrom_with};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::OwnedSemaphorePermit;

use super::connection_limits::ConnectionLimits;
use super::prompt_stream::PromptStream;
use super::transport::Transport;
use super::{connection, tls_connection};
use crate::client_ip;
use crate::handler::App;
use crate::shutdown::Shutdown;

/// Pause after the system refused a connection (no more file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Connections that the system holds for us while we are busy.
const BACKLOG: i32 = 1024;

/// Opens this many listeners on one address. The system hands each new connection to one of them.
///
/// # Errors
/// When the address is not there, or another process listens on it.
pub fn listen(address: SocketAddr, count: NonZeroUsize) -> io::Result<Vec<TcpListener>> {
    let first = unbound(address)?;
    first.bind(&address.into())?;
    first.listen(BACKLOG)?;
    let mut listeners = vec![first];
    // Shared only from here on: a port that another process uses is refused, and every listener gets the port that the
    // system chose for the first.
    for _ in 1..count.get() {
        let (first, next) = (listeners.first(), unbound(address)?);
        let Some(first) = first else { break };
        first.set_reuse_port(true)?;
        next.set_reuse_port(true)?;
        next.bind(&first.local_addr()?)?;
        next.listen(BACKLOG)?;
        listeners.push(next);
    }
    Ok(listeners.into_iter().map(TcpListener::from).collect())
}

fn unbound(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restart must not wait until connections of the former process have timed out.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    // Connections inherit it, which saves a system call for each.
    socket.set_tcp_nodelay(true)?;
    Ok(socket)
}

/// Accepts connections until the shutdown is requested. Each is served by a task of its own, on the runtime of this one,
/// which the shutdown waits for.
///
/// # Errors
/// When the system cannot watch the listener.
pub async fn serve(
    listener: TcpListener,
    transport: Transport,
    app: Arc<App>,
    limits: Arc<ConnectionLimits>,
    shutdown: Shutdown,
) -> io::Result<()> {
    #[allow(
        deprecated,
        reason = "the advice is for types that do not own their descriptor; this one does"
    )]
    let listener = AsyncFd::with_interest(listener, Interest::READABLE)?;
    let mut requested = std::pin::pin!(shutdown.requested());
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut requested => return Ok(()),
            accepted = accept(&listener, &limits) => accepted,
        };
        match accepted {
            Ok((stream, peer, slot)) => admit(stream, peer, slot, &transport, &app, &limits, &shutdown),
            Err(error) => {
                limits.log_failure(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Returns the next connection. A slot is taken only when a connection waits: a listener without one would keep it from
/// the others.
async fn accept(
    listener: &AsyncFd<TcpListener>,
    limits: &ConnectionLimits,
) -> io::Result<(PromptStream, SocketAddr, OwnedSemaphorePermit)> {
    loop {
        let mut ready = listener.readable().await?;
        let slot = limits.slot().await?;
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let accepted = ready.try_io(|listener| Ok(acceptfrom_with(listener.get_ref(), flags)?));
        if let Ok(accepted) = accepted {
            let (stream, peer) = accepted?;
            let peer = peer.ok_or(io::ErrorKind::AddrNotAvailable)?;
            return Ok((
                PromptStream::new(stream.into()),
                SocketAddr::try_from(peer)?,
                slot,
            ));
        }
    }
}

/// Serves the connection if its client may have another one. If not, it is closed without an answer: an honest one would
/// have to wait until the request has been read, and so would take the very slot that is refused.
fn admit(
    stream: PromptStream,
    peer: SocketAddr,
    slot: OwnedSemaphorePermit,
    transport: &Transport,
    app: &Arc<App>,
    limits: &ConnectionLimits,
    shutdown: &Shutdown,
) {
    let peer = peer.ip();
    let is_proxy = client_ip::is_trusted(peer, &app.trusted_proxies);
    let Some(permit) = limits.admit(slot, peer, is_proxy) else {
        return;
    };
    let timeouts = limits.limits.timeouts(is_proxy);
    let (app, end) = (Arc::clone(app), shutdown.requested());
    match transport {
        Transport::Plain => {
            let connection = connection::serve(stream, peer, app, timeouts, end);
            shutdown.spawn(async move {
                connection.await;
                drop(permit);
            });
        }
        // A task of another type: plain connections need no room for what TLS keeps.
        Transport::Tls(acceptor) => {
            let connection = tls_connection::serve(stream, peer, acceptor.clone(), app, timeouts, end);
            shutdown.spawn(async move {
                connection.await;
                drop(permit);
            });
        }
    }
}
