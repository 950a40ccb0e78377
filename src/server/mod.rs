//! The public listener: connections within bounds, and a graceful end.

mod clients;
pub mod clock;
mod descriptors;
pub mod limits;
mod seldom;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::client_ip::{self, ClientNetwork};
use crate::handler::{self, App};
use clients::Clients;
use clock::{Clock, Timed, Times};
use limits::MAX_READ_AHEAD;
pub use limits::{Limits, MAX_HEAD_BYTES, MAX_HEAD_FIELDS};
use seldom::Seldom;

/// Time that requests under way have to finish after SIGTERM; service managers kill after 90 s, container runtimes
/// after 10 s.
const DRAIN_TIME: Duration = Duration::from_secs(8);

/// Pause after the system refused a connection (no more file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Connections the system holds for us while we are busy.
const BACKLOG: i32 = 1024;

/// Opens the public listener.
///
/// # Errors
/// When the address is taken or not ours.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let domain = socket2::Domain::for_address(address);
    let socket = socket2::Socket::new(domain, socket2::Type::STREAM, Some(socket2::Protocol::TCP))?;
    // A restart must not wait for connections of the former process to time out.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Serves until `shutdown` completes, then lets requests under way finish.
pub async fn serve(listener: TcpListener, app: Arc<App>, limits: Limits, shutdown: impl Future<Output = ()>) {
    let slots = Arc::new(Semaphore::new(connections_allowed(limits)));
    let clients = Clients::new(limits.per_client);
    let connections = GracefulShutdown::new();
    let (mut refusals, mut failures) = (Seldom::default(), Seldom::default());
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = accept(&listener, &slots) => accepted,
        };
        let (stream, peer, slot) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                if failures.is_time() {
                    tracing::warn!(%error, "a connection could not be accepted");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let is_proxy = client_ip::is_trusted(peer, &app.trusted_proxies);
        // A proxy is counted like any other, but never refused.
        let place = clients.admit(ClientNetwork::of(peer));
        if place.is_none() && !is_proxy {
            // Closed without an answer: an honest one would have to wait until the request has been read, and so take
            // the very place that is refused.
            if refusals.is_time() {
                tracing::warn!(
                    "one client has {} connections; more of it are closed (if it is your reverse proxy, name it with \
                     --trusted-proxy)",
                    limits.per_client
                );
            }
            continue;
        }
        let clock = Clock::start(Times {
            idle: if is_proxy {
                limits.proxy_idle_time
            } else {
                limits.idle_time
            },
            head: limits.head_time,
            request: limits.request_time,
        });
        let connection = connections.watch(connection(stream, peer, Arc::clone(&app), Arc::clone(&clock)));
        tokio::spawn(async move {
            match clock.limit(connection).await {
                Some(Ok(())) => {}
                // A client that breaks off, is too slow or sends no HTTP is the client's affair.
                Some(Err(error)) => tracing::debug!(%error, "a connection ended early"),
                None => tracing::debug!("a connection took too long"),
            }
            drop((place, slot));
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN_TIME, connections.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not finish in time");
    }
}

fn connections_allowed(limits: Limits) -> usize {
    let allowed = descriptors::allow(limits.connections);
    if allowed < limits.connections {
        tracing::warn!(
            "the system allows this process {allowed} connections at once instead of {}; raise its limit of open files",
            limits.connections
        );
    }
    allowed
}

/// The next connection. While all slots are taken, further clients wait in the system's queue, where they cost this
/// process nothing: a visitor in a crowd gets the page a moment later instead of an error.
async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
) -> io::Result<(TcpStream, IpAddr, OwnedSemaphorePermit)> {
    let slot = Arc::clone(slots)
        .acquire_owned()
        .await
        .map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // Fails only when the client has gone already, which the connection finds out by itself.
    let _ = stream.set_nodelay(true);
    Ok((stream, peer.ip(), slot))
}

/// Serves one connection.
pub fn connection<S>(
    stream: S,
    peer: IpAddr,
    app: Arc<App>,
    clock: Arc<Clock>,
) -> impl GracefulConnection<Error = hyper::Error> + Send
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let stream = Timed::new(stream, Arc::clone(&clock));
    http1::Builder::new()
        // The clock does it.
        .header_read_timeout(None)
        .max_header_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEAD_FIELDS)
        .max_buf_size(MAX_READ_AHEAD)
        .serve_connection(
            TokioIo::new(stream),
            service_fn(move |request| {
                let (app, clock) = (Arc::clone(&app), Arc::clone(&clock));
                async move {
                    clock.request();
                    let response = handler::handle(&app, peer, request).await;
                    clock.answer();
                    Ok::<_, Infallible>(response)
                }
            }),
        )
}
