//! The public listener: connections within bounds, and a graceful end.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::handler::{self, App};

/// Connections at once. An idle one costs about 12 KiB, so an attack with many holds 24 MiB at most; a site of this kind
/// has a few dozen visitors at a time.
const MAX_CONNECTIONS: usize = 2048;

/// Time for the head of a request, and how long a connection may stay idle between two.
const HEADER_TIME: Duration = Duration::from_secs(15);

/// Largest head of a request: browsers send about 1 KiB, with large cookies of a shared domain up to 8 KiB.
const MAX_HEADER_BYTES: usize = 16 * 1024;

/// Fields in a head: browsers send about 20, proxies add a few.
const MAX_HEADER_FIELDS: usize = 64;

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
pub async fn serve(listener: TcpListener, app: Arc<App>, shutdown: impl Future<Output = ()>) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let connections = GracefulShutdown::new();
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
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let connection = connections.watch(connection(stream, peer, Arc::clone(&app)));
        tokio::spawn(async move {
            // A client that breaks off or sends no HTTP is the client's affair.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(slot);
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

async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
) -> io::Result<(TcpStream, IpAddr, tokio::sync::OwnedSemaphorePermit)> {
    let slot = Arc::clone(slots)
        .acquire_owned()
        .await
        .map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // Fails only when the client has gone already, which the connection finds out by itself.
    let _ = stream.set_nodelay(true);
    Ok((stream, peer.ip(), slot))
}

fn connection(
    stream: TcpStream,
    peer: IpAddr,
    app: Arc<App>,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send {
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_header_size(MAX_HEADER_BYTES)
        .max_headers(MAX_HEADER_FIELDS)
        .max_buf_size(2 * MAX_HEADER_BYTES)
        .serve_connection(
            TokioIo::new(stream),
            service_fn(move |request| {
                let app = Arc::clone(&app);
                async move { Ok::<_, std::convert::Infallible>(handler::handle(&app, peer, request).await) }
            }),
        )
}
