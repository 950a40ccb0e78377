//! The only page of the metrics listener, for the operator's monitoring.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hyper::header::{ALLOW, HeaderValue};
use hyper::{Method, Response, StatusCode};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::connection_limits::ConnectionLimits;
use super::limits::Limits;
use crate::base::metrics::{CONTENT_TYPE, Exposition, Metrics};
use crate::outbox::Census;
use crate::server::tls::Resolver;
use crate::site::http::response::{self, Body, TEXT};
use crate::store::Store;
use crate::web::{Handler, RequestContext};

const PATH: &str = "/metrics";

/// Concurrent connections: a few collectors, and an operator with a browser.
const CONNECTIONS: usize = 16;

/// Per client, so that no single client can lock out the collectors with idle connections.
const PER_CLIENT: usize = 4;

/// Timeout for reading the size of the store's file: a hung disk must not block the other metrics.
const SIZE_TIME: Duration = Duration::from_secs(2);

/// The sources of the metrics.
#[derive(Debug)]
pub struct MetricsPage {
    /// The counters.
    pub metrics: Arc<Metrics>,
    /// The connection limits of the public listeners.
    pub limits: Arc<ConnectionLimits>,
    /// The store; `None` if the server has none.
    pub store: Option<Arc<Store>>,
    /// The file of the store, if it is stored in one.
    pub file: Option<PathBuf>,
    /// The certificates in use, if TLS is enabled.
    pub certificates: Option<Arc<Resolver>>,
    /// The number of deliveries.
    pub census: Census,
}

impl MetricsPage {
    /// The connection limits of the metrics listeners.
    pub fn limits() -> Arc<ConnectionLimits> {
        Arc::new(ConnectionLimits::new(Limits {
            connections: CONNECTIONS,
            per_client: PER_CLIENT,
            ..Limits::default()
        }))
    }

    async fn text(&self) -> String {
        let mut text = Exposition::of(&self.metrics);
        let help = "Connections of clients that are open";
        text.gauge("http_connections", help, self.limits.open());
        let resolver = self.certificates.as_ref();
        if let Some(certificate) = resolver.and_then(|resolver| resolver.certificate()) {
            let end = certificate.validity.end.as_second();
            let help = "When the certificate of the TLS listeners ends, since 1970";
            text.gauge("certificate_end_timestamp_seconds", help, end);
        }
        if let Some(store) = &self.store {
            let commits = store.activity().commits();
            let help = "Durable commits of the store: how many, and how long they took";
            text.histogram("store_commit_duration_seconds", help, &commits);
            if let Some(deliveries) = self.census.deliveries(store).await {
                text.deliveries(&deliveries);
            }
        }
        if let Some(file) = &self.file
            && let Some(bytes) = size(file.clone()).await
        {
            text.gauge("store_size_bytes", "Size of the store's file", bytes);
        }
        text.finish()
    }
}

async fn size(file: PathBuf) -> Option<u64> {
    let reading = spawn_blocking(move || fs::metadata(file).map(|file| file.len()));
    timeout(SIZE_TIME, reading).await.ok()?.ok()?.ok()
}

impl Handler for MetricsPage {
    fn respond(self: Arc<Self>, request: RequestContext<'_>) -> BoxFuture<'_, Response<Body>> {
        Box::pin(async move {
            match (request.parts.uri.path(), &request.parts.method) {
                (PATH, &Method::GET | &Method::HEAD) => {
                    response::with_type(StatusCode::OK, CONTENT_TYPE, self.text().await)
                }
                (PATH, _) => {
                    let status = StatusCode::METHOD_NOT_ALLOWED;
                    let mut refused = response::with_type(status, TEXT, "only GET and HEAD\n");
                    let allow = HeaderValue::from_static("GET, HEAD");
                    refused.headers_mut().insert(ALLOW, allow);
                    refused
                }
                _ => response::with_type(StatusCode::NOT_FOUND, TEXT, "metrics are at /metrics\n"),
            }
        })
    }
}
