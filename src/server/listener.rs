//! The accept loop of one socket.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

use super::connection;
use super::connection_limits::ConnectionLimits;
use super::limits::Limits;
use super::tls::{Acceptor, Protocol};
use crate::base::logging::LogThrottle;
use crate::base::metrics::Refusal;
use crate::base::process::Shutdown;
use crate::web::App;
use crate::web::limits::client_ip;
use crate::web::limits::concurrency::Permit;

/// Pause after a failed accept (out of file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The minimum age of a connection before a shutdown closes it for lack of a request. A client that has just connected is about to
/// send one.
const FIRST_REQUEST_TIME: Duration = Duration::from_secs(1);

/// Accepts connections until shutdown. Each is served by its own task on the current runtime, and the shutdown waits for it.
pub async fn serve(
    listener: &TcpListener,
    tls: Option<&Acceptor>,
    app: &Arc<App>,
    limits: &ConnectionLimits,
    shutdown: &Shutdown,
) {
    let failures = LogThrottle::default();
    let mut requested = std::pin::pin!(shutdown.requested());
    loop {
        let admitted = tokio::select! {
            biased;
            () = &mut requested => return,
            admitted = admit(listener, app, limits) => admitted,
        };
        match admitted {
            Ok(Some(admitted)) => {
                let serving = serve_one(admitted, tls.cloned(), Arc::clone(app), end(shutdown));
                shutdown.tasks.spawn(serving);
            }
            Ok(None) => {}
            Err(error) => {
                if failures.is_due() {
                    tracing::warn!(%error, "a connection could not be accepted");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// A connection with its limits.
type Admitted = (TcpStream, IpAddr, Permit, Limits);

/// Accepts a connection; `None` if it was closed right away because its client has too many.
async fn admit(listener: &TcpListener, app: &App, limits: &ConnectionLimits) -> io::Result<Option<Admitted>> {
    let (stream, peer) = listener.accept().await?;
    let peer = peer.ip();
    let is_proxy = client_ip::is_trusted(peer, &app.trusted_proxies);
    let Some(permit) = limits.admit(peer, is_proxy).await else {
        // Closed without a response: sending one would mean reading the request first, which takes the very slot that is refused.
        app.metrics.count_refusal(Refusal::TooManyConnections);
        return Ok(None);
    };
    let mut limits = limits.limits;
    if is_proxy {
        limits.idle_time = limits.proxy_idle_time;
    }
    Ok(Some((stream, peer, permit, limits)))
}

async fn serve_one(
    (stream, peer, _permit, limits): Admitted,
    tls: Option<Acceptor>,
    app: Arc<App>,
    end: impl Future<Output = ()>,
) {
    match tls {
        None => connection::serve(stream, Protocol::Http1, None, peer, app, limits, end).await,
        // Boxed, so that plain connections do not pay for the TLS state.
        Some(acceptor) => {
            Box::pin(connection::serve_tls(stream, acceptor, peer, app, limits, end)).await;
        }
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
