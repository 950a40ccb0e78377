//! The listener for metrics: one page, for the operator's monitoring alone.

use std::convert::Infallible;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use hyper::body::Incoming;
use hyper::header::{ALLOW, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::connection_limits::ConnectionLimits;
use super::socket::Listener;
use crate::base::metrics::{self, Measured, Metrics};
use crate::base::process::Shutdown;
use crate::outbox::Census;
use crate::server::tls::Resolver;
use crate::site::http::response::{self, Body, TEXT};
use crate::store::Store;
use crate::web::limits::client_ip::ClientNetwork;
use crate::web::limits::{ClientCounts, ClientPermit};

/// The only page.
const PATH: &str = "/metrics";

/// Connections at once: a few collectors, and somebody who looks for himself.
const CONNECTIONS: usize = 16;

/// Those of one client, so that nobody keeps the collectors out by what he does not send.
const PER_CLIENT: usize = 4;

/// Time for a whole connection, which answers one request. Collectors wait for ten seconds as a rule.
const CONNECTION_TIME: Duration = Duration::from_secs(15);

/// Time for the size of the store's file: a disk that hangs must not keep the rest from being known.
const SIZE_TIME: Duration = Duration::from_secs(2);

/// Pause after the system refused a connection, so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Where the numbers come from.
#[derive(Debug)]
pub struct MetricsSource {
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// The connections of visitors.
    pub limits: Arc<ConnectionLimits>,
    /// The store, unless there is none.
    pub store: Option<Arc<Store>>,
    /// Its file, if it is in one.
    pub file: Option<PathBuf>,
    /// The certificates in use, if there are any.
    pub certificates: Option<Arc<Resolver>>,
    /// How many deliveries there are.
    pub census: Census,
}

impl MetricsSource {
    async fn text(&self) -> String {
        let mut measured = Measured {
            connections: self.limits.open(),
            ..Measured::default()
        };
        let end = self
            .certificates
            .as_ref()
            .and_then(|certificates| certificates.first_end());
        if let Some(Ok(end)) = end.map(|end| end.duration_since(UNIX_EPOCH)) {
            let seconds = i64::try_from(end.as_secs()).unwrap_or(i64::MAX);
            self.metrics.set_certificate_end(seconds);
        }
        if let Some(store) = &self.store {
            measured.commits = Some(store.activity().commits().read());
            measured.deliveries = self.census.deliveries(store).await;
        }
        if let Some(file) = &self.file {
            measured.store_bytes = size(file.clone()).await;
        }
        metrics::write(&self.metrics, measured).unwrap_or_default()
    }
}

async fn size(file: PathBuf) -> Option<u64> {
    let reading = spawn_blocking(move || fs::metadata(file).map(|file| file.len()));
    timeout(SIZE_TIME, reading).await.ok()?.ok()?.ok()
}

/// Answers requests for metrics until the shutdown is requested.
///
/// # Errors
/// When the system cannot watch the listener.
pub fn serve(listener: Listener, source: MetricsSource, shutdown: &Shutdown) -> io::Result<()> {
    let source = Arc::new(source);
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let clients = ClientCounts::new(PER_CLIENT);
    let sockets = listener.into_sockets().into_iter();
    for socket in sockets.map(tokio::net::TcpListener::from_std) {
        let (socket, source) = (socket?, Arc::clone(&source));
        let (slots, clients) = (Arc::clone(&slots), Arc::clone(&clients));
        let requested = shutdown.requested();
        shutdown.spawn(async move {
            tokio::select! {
                () = requested => {}
                () = accept(socket, source, slots, clients) => {}
            }
        });
    }
    Ok(())
}

async fn accept(
    socket: tokio::net::TcpListener,
    source: Arc<MetricsSource>,
    slots: Arc<Semaphore>,
    clients: Arc<ClientCounts>,
) {
    // The semaphore is never closed.
    while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
        match socket.accept().await {
            // What one client has too many is closed at once.
            Ok((stream, peer)) => {
                if let Some(client) = clients.acquire(ClientNetwork::of(peer.ip())) {
                    tokio::spawn(connection(stream, Arc::clone(&source), (slot, client)));
                }
            }
            Err(error) => {
                source.limits.log_failure(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn connection(
    stream: TcpStream,
    source: Arc<MetricsSource>,
    _permits: (OwnedSemaphorePermit, ClientPermit),
) {
    let service = service_fn(|request| {
        let source = Arc::clone(&source);
        async move { Ok::<_, Infallible>(respond(&request, &source).await) }
    });
    let mut builder = http1::Builder::new();
    // The time is for the whole connection; one that stays open would need a deadline for each request.
    builder.header_read_timeout(None).keep_alive(false);
    let served = timeout(
        CONNECTION_TIME,
        builder.serve_connection(TokioIo::new(stream), service),
    )
    .await;
    if !matches!(served, Ok(Ok(()))) {
        tracing::debug!("a connection for metrics ended early");
    }
}

async fn respond(request: &Request<Incoming>, source: &MetricsSource) -> Response<Body> {
    match (request.uri().path(), request.method()) {
        (PATH, &Method::GET | &Method::HEAD) => {
            response::with_type(StatusCode::OK, metrics::CONTENT_TYPE, source.text().await)
        }
        (PATH, _) => {
            let mut refused =
                response::with_type(StatusCode::METHOD_NOT_ALLOWED, TEXT, "only GET and HEAD\n");
            let allow = HeaderValue::from_static("GET, HEAD");
            refused.headers_mut().insert(ALLOW, allow);
            refused
        }
        _ => response::with_type(StatusCode::NOT_FOUND, TEXT, "metrics are at /metrics\n"),
    }
}
