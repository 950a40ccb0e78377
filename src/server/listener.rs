//! A public listener: its socket, and the loop that accepts connections.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OwnedSemaphorePermit;

use super::connection;
use super::connection_limits::ConnectionLimits;
use crate::client_ip;
use crate::handler::App;
use crate::shutdown::Shutdown;

/// Pause after the system refused a connection (no more file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Connections that the system holds for us while we are busy.
const BACKLOG: i32 = 1024;

/// Opens a public listener.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let domain = socket2::Domain::for_address(address);
    let socket = socket2::Socket::new(domain, socket2::Type::STREAM, Some(socket2::Protocol::TCP))?;
    // A restart must not wait until connections of the former process have timed out.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Accepts connections until the shutdown is requested. Each is served by a task of its own, which the shutdown waits
/// for.
pub async fn serve(listener: TcpListener, app: Arc<App>, limits: Arc<ConnectionLimits>, shutdown: Shutdown) {
    let mut requested = std::pin::pin!(shutdown.requested());
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut requested => return,
            accepted = accept(&listener, &limits) => accepted,
        };
        match accepted {
            Ok((stream, peer, slot)) => admit(stream, peer, slot, &app, &limits, &shutdown),
            Err(error) => {
                limits.log_failure(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn accept(
    listener: &TcpListener,
    limits: &ConnectionLimits,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let slot = limits.slot().await?;
    let (stream, peer) = listener.accept().await?;
    // Fails only when the client has left already, which the connection finds out by itself.
    let _ = stream.set_nodelay(true);
    Ok((stream, peer, slot))
}

/// Serves the connection if its client may have another one. If not, it is closed without an answer: an honest one would
/// have to wait until the request has been read, and so would take the very slot that is refused.
fn admit(
    stream: TcpStream,
    peer: SocketAddr,
    slot: OwnedSemaphorePermit,
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
    let connection = connection::serve(stream, peer, Arc::clone(app), timeouts, shutdown.requested());
    shutdown.spawn(async move {
        connection.await;
        drop(permit);
    });
}
