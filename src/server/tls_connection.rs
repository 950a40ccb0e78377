//! One connection by TLS: the handshake, and then what both sides have agreed to speak.

use std::future::poll_fn;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::deadline::Timeouts;
use super::{connection, http2};
use crate::base::metrics::Refusal;
use crate::server::tls::{Acceptor, Protocol};
use crate::web::limits::seat::Seat;
use crate::web::{App, Encrypted};

/// Serves a connection to its end. The handshake has the time of a head. After `shutdown` has completed, the requests under
/// way are still answered.
pub async fn serve(
    stream: TcpStream,
    peer: IpAddr,
    acceptor: Acceptor,
    app: Arc<App>,
    timeouts: Timeouts,
    seat: Arc<Seat>,
    shutdown: impl Future<Output = ()>,
) {
    // Boxed, so that what a handshake needs is gone when it is over.
    let handshake = Box::pin(acceptor.accept(stream));
    let handshake = timeout(timeouts.head, handshake);
    let done = tokio::select! {
        done = handshake => done,
        () = poll_fn(|context| seat.poll_left(context)) => return tracing::debug!("a handshake made room"),
    };
    let (stream, protocol) = match done {
        Ok(Ok(done)) => done,
        // The client speaks something else, or does not trust the certificate. The operator can do nothing about it.
        Ok(Err(error)) => return tracing::debug!(%error, "a handshake failed"),
        Err(_) => {
            app.metrics.count_refusal(Refusal::HandshakeTooSlow);
            return tracing::debug!("a handshake took too long");
        }
    };
    match protocol {
        Protocol::Http1 => {
            connection::serve(stream, Some(Encrypted), peer, app, timeouts, seat, shutdown).await;
        }
        Protocol::Http2 => http2::serve(stream, peer, app, timeouts, seat, shutdown).await,
        Protocol::Challenge => {}
    }
}
