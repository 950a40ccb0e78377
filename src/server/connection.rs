//! One connection over any stream: serves HTTP/1.1 or HTTP/2 within deadlines until the client leaves or the process shuts down.
//! Both protocols have limits on concurrent work.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::deadline::{Deadline, RequestGuard};
use super::limits::{
    CONNECTION_WINDOW, LINGER_BYTES, LINGER_TIME, Limits, MAX_BODIES, MAX_HEAD_BYTES, MAX_HEAD_FIELDS,
    MAX_HEADER_LIST, MAX_READ_AHEAD, MAX_RESETS, MAX_STREAMS, STREAM_SEND_BUFFER, STREAM_WINDOW,
};
use super::timed_stream::TimedStream;
use super::tls::{Acceptor, Protocol};
use crate::base::metrics::Refusal;
use crate::site::http::response::{self, Body};
use crate::web::{self, App, Encrypted, upload};

/// Size of the chunks handed to hyper over HTTP/2: the payload of one frame. A response counts as taken once its last chunk is
/// handed over.
const PART: usize = 16 * 1024;

/// An admitted connection: its client, the app that answers it, and its limits.
pub struct ClientConnection {
    /// Answers its requests.
    pub app: Arc<App>,
    /// The address of the client, or of a proxy.
    pub peer: IpAddr,
    /// Its limits.
    pub limits: Limits,
}

impl ClientConnection {
    /// Serves the connection over TLS. The handshake has the same timeout as a request head.
    pub async fn serve_tls(self, stream: TcpStream, acceptor: Acceptor, shutdown: impl Future<Output = ()>) {
        // Boxed to free the state of the handshake when it ends.
        match timeout(self.limits.head_time, Box::pin(acceptor.accept(stream))).await {
            Ok(Ok((stream, protocol))) => self.serve(stream, protocol, Some(Encrypted), shutdown).await,
            // The client does not speak TLS, or does not trust the certificate. Nothing the operator could fix.
            Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
            Err(_) => {
                self.app.metrics.count_refusal(Refusal::HandshakeTooSlow);
                tracing::debug!("a handshake took too long");
            }
        }
    }

    /// Serves the connection until it ends. Once `shutdown` completes, only requests in flight are answered.
    pub async fn serve<S>(
        self,
        stream: S,
        protocol: Protocol,
        encrypted: Option<Encrypted>,
        shutdown: impl Future<Output = ()>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let deadline = Deadline::start(self.limits, protocol);
        let stream = TokioIo::new(TimedStream::new(stream, Arc::clone(&deadline)));
        let metrics = Arc::clone(&self.app.metrics);
        let client = Arc::new(Client {
            connection: self,
            encrypted,
            part: match protocol {
                Protocol::Http2 => PART,
                _ => usize::MAX,
            },
            deadline: Arc::clone(&deadline),
            bodies: Arc::new(Semaphore::new(MAX_BODIES)),
        });
        let service = service_fn(move |request| {
            let (client, guard) = (Arc::clone(&client), client.deadline.begin());
            async move {
                let _body = client.wait_for_body(&request).await;
                // Boxed, so that a request waiting for its body stays small.
                let response = Box::pin(client.answer(request, &guard)).await;
                let part = client.part;
                Ok::<_, Infallible>(response.map(|rest| ResponseParts { rest, part, guard }))
            }
        });
        // Boxed right away: otherwise each enclosing future would reserve the space twice and move it.
        let ended = match protocol {
            Protocol::Http1 => {
                let mut connection = Box::pin(http1().serve_connection(stream, service));
                let ended = deadline.enforce(connection.as_mut(), shutdown).await;
                if matches!(ended, Ok(Ok(()))) && deadline.lingers() {
                    let stream = Pin::into_inner(connection).into_parts().io;
                    linger(stream.into_inner()).await;
                }
                ended
            }
            Protocol::Http2 => {
                let mut connection = Box::pin(http2().serve_connection(stream, service));
                deadline.enforce(connection.as_mut(), shutdown).await
            }
            Protocol::Challenge => return,
        };
        match ended {
            Ok(Ok(())) => {}
            // The client disconnected or violated the protocol. Nothing the operator could fix.
            Ok(Err(error)) => tracing::debug!(%error, "a connection ended early"),
            Err(refusal) => {
                tracing::debug!("a connection took too long, or cancelled too much");
                if let Some(refusal) = refusal {
                    metrics.count_refusal(refusal);
                }
            }
        }
    }
}

/// Discards what the client still sends after the last response. Closing a socket with unread bytes resets the connection, and a
/// client that reads only after it has sent everything would never see the response.
async fn linger(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    let drained = async {
        // hyper leaves this out if the client has asked for an upgrade.
        stream.shutdown().await?;
        copy(&mut stream.take(LINGER_BYTES), &mut sink()).await
    };
    // The connection is closed either way.
    let _ = timeout(LINGER_TIME, drained).await;
}

fn http1() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // `Deadline` enforces this instead.
        .header_read_timeout(None)
        // Clients may shut down their side after sending a request.
        .half_close(true)
        .max_header_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEAD_FIELDS)
        .max_buf_size(MAX_READ_AHEAD);
    builder
}

fn http2() -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEADER_LIST)
        .max_pending_accept_reset_streams(MAX_RESETS)
        .max_local_error_reset_streams(MAX_RESETS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(STREAM_SEND_BUFFER);
    builder
}

/// The client of a connection, and the state shared by its requests.
struct Client {
    connection: ClientConnection,
    encrypted: Option<Encrypted>,
    /// Maximum size of a chunk of a response.
    part: usize,
    deadline: Arc<Deadline>,
    bodies: Arc<Semaphore>,
}

impl Client {
    /// Waits for permission to receive the request's body, if it has one.
    async fn wait_for_body(&self, request: &Request<Incoming>) -> Option<OwnedSemaphorePermit> {
        if request.body().is_end_stream() {
            return None;
        }
        // The semaphore is never closed.
        Arc::clone(&self.bodies).acquire_owned().await.ok()
    }

    async fn answer(&self, mut request: Request<Incoming>, guard: &RequestGuard) -> Response<Body> {
        // Over HTTP/1.1, hyper enforces this limit.
        if request.headers().len() > MAX_HEAD_FIELDS {
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return response::empty(status, HeaderMap::new());
        }
        if let Some(encrypted) = self.encrypted {
            request.extensions_mut().insert(encrypted);
        }
        // The handler aborts uploads that stall or take too long, and needs time to respond.
        let is_upload = upload::is_one(request.method(), request.uri().path(), request.headers());
        if is_upload {
            guard.extend(upload::WHOLE);
        }
        let is_head = request.method() == Method::HEAD;
        let mut response = web::handle(&self.connection.app, self.connection.peer, request).await;
        if is_upload {
            guard.extend(Duration::ZERO);
        }
        // The handler closes a connection only if it leaves a body unread.
        if response.headers().contains_key(header::CONNECTION) {
            guard.linger();
        }
        if is_head {
            // Over HTTP/2, hyper would send the body.
            let length = response.body().len();
            if length > 0 {
                let length = HeaderValue::from(length);
                response
                    .headers_mut()
                    .entry(header::CONTENT_LENGTH)
                    .or_insert(length);
            }
            *response.body_mut() = Body::default();
        }
        response
    }
}

/// A response body in chunks, which reports at its end whether the last one was handed over.
#[derive(Debug)]
struct ResponseParts {
    rest: Bytes,
    part: usize,
    guard: RequestGuard,
}

impl Drop for ResponseParts {
    fn drop(&mut self) {
        if self.rest.is_empty() {
            self.guard.answered();
        }
    }
}

impl hyper::body::Body for ResponseParts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.rest.len().min(self.part);
        let part = self.rest.split_to(length);
        Poll::Ready(Some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
