//! The server's side of the control socket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{ALLOW, HeaderValue, TRAILER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::UnixStream;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use super::deadline::WriteDeadline;
use super::socket::Listener;
use crate::domain::matching::Firm;
use crate::domain::referral::HandlingPolicy;
use crate::operate::funnel::Funnel;
use crate::operate::{Body, LEFT_OUT, Request, TOTAL};
use crate::store::Store;

/// How long a client may read nothing before it is cut off: while a reader pauses, the store's file keeps inquiries that are
/// erased meanwhile.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take for the head of its request, and for the body; our commands send both at once.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest body accepted, in bytes: a few more ids than a command line can hold (2 MiB on Linux).
const MAX_BODY: usize = 4 << 20;

/// How long exports may continue once the server is told to end; then they are cut off, which their commands
/// report. Most are done by then, and nobody waits for one that hangs.
const GRACE: Duration = Duration::from_secs(5);

/// How long to pause when the system accepts no connection, for example for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How often the socket is looked for: more often than commands wait for a server that has the store.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What commands reach.
#[derive(Debug, Clone)]
pub struct Served {
    store: Arc<Store>,
    /// What was counted and is not in the store yet.
    funnel: Option<Arc<Funnel>>,
    /// What is done with inquiries.
    policy: Option<watch::Receiver<Arc<HandlingPolicy>>>,
}

impl Served {
    /// Lets commands read what was counted up to now, too.
    pub fn new(store: Arc<Store>, funnel: Arc<Funnel>) -> Self {
        Self {
            store,
            funnel: Some(funnel),
            policy: None,
        }
    }

    /// Tells commands by what configuration the server works.
    #[must_use]
    pub fn with_policy(self, policy: watch::Receiver<Arc<HandlingPolicy>>) -> Self {
        let policy = Some(policy);
        Self { policy, ..self }
    }

    /// Fills in what only the server knows.
    fn fill(&self, request: &mut Request) {
        let Some(policy) = self.policy.as_ref().map(watch::Receiver::borrow) else {
            return;
        };
        match request {
            Request::Ledger { vat, .. } | Request::CloseMonth { vat, .. } => {
                vat.get_or_insert(policy.vat);
            }
            Request::KnowsFirm { firm, is_configured } => {
                *is_configured |= Firm::find(&policy.firms, firm).is_some();
            }
            _ => {}
        }
    }

    /// Writes what was counted, where a command is to see it.
    async fn write_counts(&self) {
        if let Some(funnel) = &self.funnel {
            funnel.flush(&self.store).await;
        }
    }
}

impl From<Arc<Store>> for Served {
    fn from(store: Arc<Store>) -> Self {
        Self {
            store,
            funnel: None,
            policy: None,
        }
    }
}

/// Serves commands until `shutdown` completes; then removes the socket.
pub async fn serve(mut listener: Listener, served: impl Into<Served>, shutdown: impl Future<Output = ()>) {
    let served = served.into();
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    let mut look = interval(LOOK_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_refused = false;
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok(stream) => {
                    connections.spawn(connection(stream, served.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "the control socket gave no connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
            _ = look.tick() => match listener.renew() {
                Ok(is_new) => {
                    is_refused = false;
                    if is_new {
                        tracing::warn!("the control socket was removed; it was made anew");
                    }
                }
                Err(error) if !is_refused => {
                    is_refused = true;
                    tracing::error!(%error, "the control socket was removed and cannot be made anew; it is tried again");
                }
                Err(_) => {}
            },
        }
    }
    drop(listener);
    let all = async { while connections.join_next().await.is_some() {} };
    // Those still open end when the set is dropped.
    let _ = tokio::time::timeout(GRACE, all).await;
}

async fn connection(stream: UnixStream, served: Served) {
    let service = service_fn(|request| {
        let served = served.clone();
        async move { Ok::<_, Infallible>(respond(request, served).await) }
    });
    let ended = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        // One command, one request: an idle connection would hold up the end of the server.
        .keep_alive(false)
        .serve_connection(TokioIo::new(WriteDeadline::new(stream, WRITE_TIMEOUT)), service)
        .await;
    if let Err(error) = ended {
        tracing::debug!(%error, "a command broke off");
    }
}

async fn respond(request: hyper::Request<Incoming>, served: Served) -> Response<Body> {
    if request.uri().path() != "/" {
        return refuse(StatusCode::NOT_FOUND, "this server does not know that command");
    }
    if request.method() != Method::POST {
        let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, "this is asked for by POST");
        let headers = response.headers_mut();
        headers.insert(ALLOW, HeaderValue::from_static("POST"));
        return response;
    }
    let Some(mut request) = read(request.into_body()).await else {
        return refuse(
            StatusCode::BAD_REQUEST,
            "this server does not understand the request",
        );
    };
    served.fill(&mut request);
    if matches!(request, Request::Backup | Request::Counts(_)) {
        served.write_counts().await;
    }
    match request.carry_out(served.store).await {
        Ok(body) => {
            let total = body.total;
            let mut response = Response::new(body);
            let headers = response.headers_mut();
            headers.insert(TRAILER, HeaderValue::from_static(LEFT_OUT));
            if let Some(total) = total {
                headers.insert(TOTAL, HeaderValue::from(total));
            }
            response
        }
        Err(error) => refuse(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
    }
}

/// Reads a request; `None` if it is too long, too slow, broken off or not understood.
async fn read(body: Incoming) -> Option<Request> {
    let read = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, MAX_BODY).collect()).await;
    serde_json::from_slice(&read.ok()?.ok()?.to_bytes()).ok()
}

fn refuse(status: StatusCode, reason: impl Into<Bytes>) -> Response<Body> {
    let mut response = Response::new(Body::text(reason));
    *response.status_mut() = status;
    response
}
