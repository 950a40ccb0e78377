//! One connection by HTTP/2. hyper speaks the protocol; what a client may ask of it is limited here as for HTTP/1.1.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};

use super::deadline::Timeouts;
use super::limits::{
    CONNECTION_WINDOW, MAX_HEAD_FIELDS, MAX_HEADER_LIST, MAX_RESETS, MAX_STREAMS, STREAM_SEND_BUFFER,
    STREAM_WINDOW,
};
use super::streams::{End, StreamGuard, Streams};
use crate::base::metrics::Refusal;
use crate::site::http::response::{self, Body};
use crate::web::limits::made_pages;
use crate::web::limits::seat::Seat;
use crate::web::{self, App, Encrypted, upload};

/// Bytes handed over at once: what fits into a frame. A response is known to be taken once its last part is handed over.
const PART: usize = 16 * 1024;

/// Serves a connection to its end. After `shutdown` has completed, the requests under way are still answered.
pub async fn serve<S>(
    stream: S,
    peer: IpAddr,
    app: Arc<App>,
    timeouts: Timeouts,
    seat: Arc<Seat>,
    shutdown: impl Future<Output = ()>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let streams = Streams::start(timeouts, Arc::clone(&seat));
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEADER_LIST)
        .max_pending_accept_reset_streams(MAX_RESETS)
        .max_local_error_reset_streams(MAX_RESETS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(STREAM_SEND_BUFFER);
    let requests = Arc::clone(&streams);
    let metrics = Arc::clone(&app.metrics);
    let service = service_fn(move |request| {
        let (app, seat) = (Arc::clone(&app), Arc::clone(&seat));
        let mut stream = requests.begin(head_bytes(&request));
        // Dropped at once if there is no room for it.
        let request = Some(request).filter(|_| stream.has_room());
        async move {
            let Some(request) = request else {
                let response = response::empty(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, HeaderMap::new());
                return Ok(response.map(|body| Parts::new(body, stream)));
            };
            stream.wait_for_turn(!request.body().is_end_stream()).await;
            // Boxed, so that a request that waits takes no room for what follows.
            Ok::<_, Infallible>(Box::pin(answer(&app, peer, request, stream, &seat)).await)
        }
    });
    let mut connection = Box::pin(builder.serve_connection(TokioIo::new(stream), service));
    let leave = |connection: Pin<&mut http2::Connection<_, _, _>>| connection.graceful_shutdown();
    match streams.enforce(connection.as_mut(), shutdown, leave).await {
        End::Done(Ok(())) => {}
        // The client broke off or did not keep to the protocol. The operator can do nothing about it.
        End::Done(Err(error)) => tracing::debug!(%error, "a connection ended early"),
        End::Overdue => {
            tracing::debug!("a connection took too long");
            if let Some(refusal) = streams.refusal() {
                metrics.count_refusal(refusal);
            }
        }
        End::Abused => {
            tracing::debug!("a client cancelled too many requests");
            metrics.count_refusal(Refusal::TooManyCancelled);
        }
    }
}

async fn answer(
    app: &App,
    peer: IpAddr,
    mut request: Request<Incoming>,
    stream: StreamGuard,
    seat: &Arc<Seat>,
) -> Response<Parts> {
    let is_head = request.method() == Method::HEAD;
    let mut response = if request.headers().len() > MAX_HEAD_FIELDS {
        // As HTTP/1.1 answers it.
        response::empty(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, HeaderMap::new())
    } else {
        request.extensions_mut().insert(Encrypted);
        let is_upload = upload::is_one(request.method(), request.uri().path(), request.headers());
        if is_upload {
            stream.upload();
        }
        let response = web::handle(app, peer, request).await;
        if is_upload {
            stream.respond();
        }
        response
    };
    made_pages::seat(&mut response, seat);
    let (mut parts, mut body) = response.into_parts();
    if is_head {
        // Without this, hyper would send the body.
        if !body.bytes().is_empty() {
            let length = HeaderValue::from(body.bytes().len());
            parts.headers.entry(header::CONTENT_LENGTH).or_insert(length);
        }
        body = Body::default();
    }
    Response::from_parts(parts, Parts::new(body, stream))
}

/// Returns what a head takes, as HTTP/2 counts it.
fn head_bytes(request: &Request<Incoming>) -> usize {
    let fields = request.headers().iter();
    let fields = fields.map(|(name, value)| name.as_str().len() + value.len() + 32);
    let target = request.uri().path_and_query();
    fields.sum::<usize>() + target.map_or(0, |target| target.as_str().len())
}

/// A response's body in parts, which notes when the last one has been handed over.
#[derive(Debug)]
struct Parts {
    rest: Bytes,
    stream: StreamGuard,
}

impl Parts {
    fn new(body: Body, mut stream: StreamGuard) -> Self {
        let rest = body.into_bytes();
        if rest.is_empty() {
            stream.answered();
        }
        Self { rest, stream }
    }
}

impl hyper::body::Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.rest.len().min(PART);
        let part = self.rest.split_to(length);
        if self.rest.is_empty() {
            self.stream.answered();
        }
        Poll::Ready(Some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
