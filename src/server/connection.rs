//! One connection, over any stream: HTTP/1.1 within deadlines, until the client leaves or the process ends.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;

use hyper::header;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use super::deadline::{Deadline, Timeouts};
use super::limits::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS, MAX_READ_AHEAD};
use super::timed_stream::TimedStream;
use crate::handler::{self, App};

/// Serves a connection to its end. After `shutdown` has completed, the request under way is still answered.
pub async fn serve<S>(
    stream: S,
    peer: IpAddr,
    app: Arc<App>,
    timeouts: Timeouts,
    shutdown: impl Future<Output = ()>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let deadline = Deadline::start(timeouts);
    let stream = TimedStream::new(stream, Arc::clone(&deadline));
    let requests = Arc::clone(&deadline);
    let connection = http1::Builder::new()
        // `Deadline` takes care of this.
        .header_read_timeout(None)
        .max_header_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEAD_FIELDS)
        .max_buf_size(MAX_READ_AHEAD)
        .serve_connection(
            TokioIo::new(stream),
            service_fn(move |request| {
                let (app, deadline) = (Arc::clone(&app), Arc::clone(&requests));
                async move {
                    deadline.request();
                    let response = handler::handle(&app, peer, request).await;
                    // The handler closes a connection exactly when it leaves a body unread.
                    if response.headers().contains_key(header::CONNECTION) {
                        deadline.linger();
                    }
                    deadline.response();
                    Ok::<_, Infallible>(response)
                }
            }),
        );
    let served = async {
        let mut connection = pin!(connection);
        tokio::select! {
            served = connection.as_mut() => return served,
            () = shutdown => {}
        }
        connection.as_mut().graceful_shutdown();
        connection.await
    };
    match deadline.enforce(served).await {
        Some(Ok(())) => {}
        // The client broke off, was too slow or did not send HTTP. The operator can do nothing about it.
        Some(Err(error)) => tracing::debug!(%error, "a connection ended early"),
        None => tracing::debug!("a connection took too long"),
    }
}
