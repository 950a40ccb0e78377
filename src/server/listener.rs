//! The loop that accepts connections from one socket.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use rustix::net::{SocketFlags, acceptfrom_with};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::{Instant, sleep_until};

use super::connection_limits::{ConnectionLimits, ConnectionPermit};
use super::deadline::Timeouts;
use super::lazy_tcp_stream::LazyTcpStream;
use super::socket::Transport;
use super::{connection, tls_connection};
use crate::base::metrics::Refusal;
use crate::base::process::Shutdown;
use crate::web::App;
use crate::web::limits::client_ip;

/// Pause after the system refused a connection (no more file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How old a connection is at least before a shutdown closes it for lack of a request. A client that has just connected is
/// about to send one, and cannot know that it came too late.
const FIRST_REQUEST_TIME: Duration = Duration::from_secs(1);

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
        let admitted = async {
            let (stream, peer) = accept(&listener).await?;
            let is_proxy = client_ip::is_trusted(peer, &app.trusted_proxies);
            let Some(admission) = limits.admit(peer, is_proxy) else {
                // Closed without an answer: a proper one would have to wait until the request has been read, and so would
                // take the very place that is refused.
                app.metrics.count_refusal(Refusal::TooManyConnections);
                return Ok(());
            };
            let permit = limits.slot(admission, is_proxy).await?;
            let timeouts = limits.limits.timeouts(is_proxy);
            begin(stream, peer, permit, timeouts, &transport, &app, &shutdown);
            Ok(())
        };
        let admitted: io::Result<()> = tokio::select! {
            biased;
            () = &mut requested => return Ok(()),
            admitted = admitted => admitted,
        };
        match admitted {
            Ok(()) => {}
            Err(error) => {
                limits.log_failure(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Returns the next connection.
async fn accept(listener: &AsyncFd<TcpListener>) -> io::Result<(LazyTcpStream, IpAddr)> {
    loop {
        let mut ready = listener.readable().await?;
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let accepted = ready.try_io(|listener| Ok(acceptfrom_with(listener.get_ref(), flags)?));
        if let Ok(accepted) = accepted {
            let (stream, peer) = accepted?;
            let peer = peer.ok_or(io::ErrorKind::AddrNotAvailable)?;
            let peer = SocketAddr::try_from(peer)?;
            return Ok((LazyTcpStream::new(stream.into()), peer.ip()));
        }
    }
}

/// Starts to serve the connection.
fn begin(
    stream: LazyTcpStream,
    peer: IpAddr,
    permit: ConnectionPermit,
    timeouts: Timeouts,
    transport: &Transport,
    app: &Arc<App>,
    shutdown: &Shutdown,
) {
    let (app, end, seat) = (Arc::clone(app), end(shutdown), Arc::clone(&permit.seat));
    match transport {
        Transport::Plain => {
            let connection = connection::serve(stream, peer, app, timeouts, seat, end);
            shutdown.spawn(async move {
                connection.await;
                drop(permit);
            });
        }
        // A task of another type: plain connections need no room for what TLS keeps.
        Transport::Tls(acceptor) => {
            let connection = tls_connection::serve(stream, peer, acceptor.clone(), app, timeouts, seat, end);
            shutdown.spawn(async move {
                connection.await;
                drop(permit);
            });
        }
    }
}

/// Completes when a connection that begins now is to end with the request under way.
fn end(shutdown: &Shutdown) -> impl Future<Output = ()> + Send + use<> {
    let requested = shutdown.requested();
    let earliest = Instant::now() + FIRST_REQUEST_TIME;
    async move {
        requested.await;
        sleep_until(earliest).await;
    }
}
