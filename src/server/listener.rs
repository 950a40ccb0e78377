//! The loop that accepts connections from one socket.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

use super::connection;
use super::connection_limits::ConnectionLimits;
use super::limits::Timeouts;
use super::socket::Transport;
use super::tls::Protocol;
use crate::base::metrics::Refusal;
use crate::base::process::Shutdown;
use crate::web::App;
use crate::web::limits::client_ip;
use crate::web::limits::concurrency::Permit;

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
    listener: std::net::TcpListener,
    transport: Transport,
    app: Arc<App>,
    limits: Arc<ConnectionLimits>,
    shutdown: Shutdown,
) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let mut requested = std::pin::pin!(shutdown.requested());
    loop {
        let admitted = async {
            let (stream, peer) = listener.accept().await?;
            let peer = peer.ip();
            let is_proxy = client_ip::is_trusted(peer, &app.trusted_proxies);
            let Some(admission) = limits.admit(peer, is_proxy) else {
                // Closed without an answer: a proper one would have to wait until the request has been read, and so would
                // take the very place that is refused.
                app.metrics.count_refusal(Refusal::TooManyConnections);
                return Ok(());
            };
            let permit = limits.slot(admission).await?;
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

/// Starts to serve the connection.
fn begin(
    stream: TcpStream,
    peer: IpAddr,
    permit: Permit,
    timeouts: Timeouts,
    transport: &Transport,
    app: &Arc<App>,
    shutdown: &Shutdown,
) {
    let (app, end) = (Arc::clone(app), end(shutdown));
    match transport {
        Transport::Plain => {
            let connection = connection::serve(stream, Protocol::Http1, None, peer, app, timeouts, end);
            shutdown.spawn(async move {
                connection.await;
                drop(permit);
            });
        }
        // A task of another type: plain connections need no room for what TLS keeps.
        Transport::Tls(acceptor) => {
            let connection = connection::serve_tls(stream, acceptor.clone(), peer, app, timeouts, end);
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
