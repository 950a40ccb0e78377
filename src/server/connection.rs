//! One connection, over any stream: HTTP/1.1 within deadlines, until the client leaves or the process ends.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use hyper::header;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use super::deadline::{Deadline, Timeouts};
use super::limits::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS, MAX_READ_AHEAD};
use super::timed_stream::TimedStream;
use crate::web::limits::made_pages;
use crate::web::limits::seat::Seat;
use crate::web::{self, App, Encrypted, upload};

/// Serves a connection to its end. After `shutdown` has completed, the request under way is still answered.
pub async fn serve<S>(
    stream: S,
    encrypted: Option<Encrypted>,
    peer: IpAddr,
    app: Arc<App>,
    timeouts: Timeouts,
    seat: Arc<Seat>,
    shutdown: impl Future<Output = ()>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let deadline = Deadline::start(timeouts, Arc::clone(&seat));
    let stream = TimedStream::new(stream, Arc::clone(&deadline));
    let requests = Arc::clone(&deadline);
    let metrics = Arc::clone(&app.metrics);
    let mut builder = http1::Builder::new();
    builder
        // `Deadline` takes care of this.
        .header_read_timeout(None)
        // Otherwise hyper would look whether the client has left before it answers each request: on a new connection that is
        // four system calls. Nothing here takes so long that giving up the answer would pay.
        .half_close(true)
        .max_header_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEAD_FIELDS)
        .max_buf_size(MAX_READ_AHEAD);
    let service = service_fn(move |mut request| {
        let (app, deadline, seat) = (Arc::clone(&app), Arc::clone(&requests), Arc::clone(&seat));
        if let Some(encrypted) = encrypted {
            request.extensions_mut().insert(encrypted);
        }
        async move {
            if upload::is_one(request.method(), request.uri().path(), request.headers()) {
                deadline.upload();
            } else {
                deadline.request();
            }
            let mut response = web::handle(&app, peer, request).await;
            made_pages::seat(&mut response, &seat);
            // The handler closes a connection exactly when it leaves a body unread.
            if response.headers().contains_key(header::CONNECTION) {
                deadline.linger();
            }
            deadline.response();
            Ok::<_, Infallible>(response)
        }
    });
    // Boxed at once: otherwise each future around it would reserve room for it twice, and move it.
    let mut connection = Box::pin(builder.serve_connection(TokioIo::new(stream), service));
    let served = async {
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
        None => {
            tracing::debug!("a connection took too long");
            if let Some(refusal) = deadline.refusal() {
                metrics.count_refusal(refusal);
            }
        }
    }
}
