//! A listening socket, opened here or passed by the service manager, and its accept loop.

use std::fmt;
use std::io;
use std::net::{self, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, sleep_until};

use super::connection::ClientConnection;
use super::connection_limits::ConnectionLimits;
use super::tls::{Acceptor, Protocol};
use crate::base::logging::LogThrottle;
use crate::base::metrics::Refusal;
use crate::base::panics::keep_alive;
use crate::base::process::Shutdown;
use crate::web::App;
use crate::web::limits::client_ip;
use crate::web::limits::concurrency::Permit;

/// Connections that the kernel queues while we are busy.
const BACKLOG: u32 = 1024;

/// Pause after a failed accept (out of file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The minimum age of a connection before a shutdown closes it for lack of a request. A client that has just connected is about to
/// send one.
const FIRST_REQUEST_TIME: Duration = Duration::from_secs(1);

/// A listening socket. Opening one needs a runtime.
#[derive(Debug)]
pub struct Listener {
    /// The address, with the port that the system chose.
    pub address: SocketAddr,
    /// Accepts TLS, over which clients may use HTTP/2; `None` for plain HTTP/1.1.
    pub tls: Option<Acceptor>,
    socket: TcpListener,
}

impl Listener {
    /// Listens on an address.
    ///
    /// # Errors
    /// If the address is not available, or another process listens on it.
    pub fn open(address: SocketAddr, tls: Option<Acceptor>) -> io::Result<Self> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // A restart must not wait for connections of the previous process to time out.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Self::of(socket.listen(BACKLOG)?, tls)
    }

    /// Takes over a listening socket, which stays open across restarts.
    ///
    /// # Errors
    /// If the system cannot register it.
    pub fn inherit(socket: net::TcpListener, tls: Option<Acceptor>) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Self::of(TcpListener::from_std(socket)?, tls)
    }

    fn of(socket: TcpListener, tls: Option<Acceptor>) -> io::Result<Self> {
        Ok(Self {
            address: socket.local_addr()?,
            tls,
            socket,
        })
    }

    /// Spawns the task that accepts connections until shutdown. Each connection is served by its own task, and the shutdown waits
    /// for it.
    pub fn serve(self, app: &Arc<App>, limits: &Arc<ConnectionLimits>, shutdown: &Shutdown) {
        let (app, limits, end) = (Arc::clone(app), Arc::clone(limits), shutdown.clone());
        let serving = keep_alive("accepting connections", async move || {
            self.keep_accepting(&app, &limits, &end).await;
        });
        shutdown.tasks.spawn(serving);
    }

    async fn keep_accepting(&self, app: &Arc<App>, limits: &ConnectionLimits, shutdown: &Shutdown) {
        let failures = LogThrottle::default();
        let mut requested = pin!(shutdown.requested());
        loop {
            let admitted = tokio::select! {
                biased;
                () = &mut requested => return,
                admitted = self.admit(app, limits) => admitted,
            };
            match admitted {
                Ok(Some((stream, permit, connection))) => {
                    let serving = serve_one(stream, self.tls.clone(), permit, connection, end(shutdown));
                    shutdown.tasks.spawn(serving);
                }
                Ok(None) => {}
                Err(error) => {
                    if failures.is_due() {
                        tracing::warn!(%error, "a connection could not be accepted");
                    }
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Accepts a connection; `None` if it was closed right away because its client has too many.
    async fn admit(
        &self,
        app: &Arc<App>,
        limits: &ConnectionLimits,
    ) -> io::Result<Option<(TcpStream, Permit, ClientConnection)>> {
        let (stream, peer) = self.socket.accept().await?;
        stream.set_nodelay(true)?;
        let peer = peer.ip();
        let is_proxy = client_ip::is_trusted(peer, &app.trusted_proxies);
        let Some(permit) = limits.admit(peer, is_proxy).await else {
            // Closed without a response: sending one would mean reading the request first, which takes the very slot that is
            // refused.
            app.metrics.count_refusal(Refusal::TooManyConnections);
            return Ok(None);
        };
        let (app, mut limits) = (Arc::clone(app), limits.limits);
        if is_proxy {
            limits.idle_time = limits.proxy_idle_time;
        }
        Ok(Some((stream, permit, ClientConnection { app, peer, limits })))
    }
}

impl fmt::Display for Listener {
    /// Formats the address as a URL.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        write!(formatter, "{scheme}://{}", self.address)
    }
}

async fn serve_one(
    stream: TcpStream,
    tls: Option<Acceptor>,
    _permit: Permit,
    connection: ClientConnection,
    end: impl Future<Output = ()>,
) {
    match tls {
        None => connection.serve(stream, Protocol::Http1, None, end).await,
        // Boxed, so that plain connections do not pay for the TLS state.
        Some(acceptor) => Box::pin(connection.serve_tls(stream, acceptor, end)).await,
    }
}

/// Completes when a connection that starts now must end after the requests in flight.
fn end(shutdown: &Shutdown) -> impl Future<Output = ()> + Send + use<> {
    let requested = shutdown.requested();
    let earliest = Instant::now() + FIRST_REQUEST_TIME;
    async move {
        requested.await;
        sleep_until(earliest).await;
    }
}
