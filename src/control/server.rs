//! The server's side of the control socket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue, TRAILER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use super::backup_body::BackupBody;
use super::deadline::WriteDeadline;
use super::erasure::{EraseRequest, EraseResponse};
use super::ndjson::Ndjson;
use super::operation::Operation;
use super::operations::{
    BelieveClock, CheckRecords, EndSubscription, NoteBackup, ReadAsks, ReadCounts, ReadDossier, ReadFacts,
    Release, Retry,
};
use super::protocol::{BACKUP, DOSSIERS, ERASURE, INQUIRIES, LEFT_OUT, SUBSCRIPTIONS, TOTAL};
use super::query;
use super::socket::Listener;
use crate::funnel::Funnel;
use crate::store::{EraseError, Selection, Store, Unavailable};

/// How long a client may read nothing before it is cut off: a paused reader would keep inquiries in the store's file
/// that are erased meanwhile.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take for the head of its request, and for the body; ours send both at once.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest body accepted, in bytes: a few more ids than a command line can hold (2 MiB on Linux).
const MAX_BODY: usize = 4 << 20;

/// How long exports may continue once the server is told to end; then they are cut off, which their commands
/// report. Most are done by then, and nobody waits for one that hangs.
const GRACE: Duration = Duration::from_secs(5);

/// How long to pause when the system gives no connection, such as for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How often it is made sure that commands find the socket: less than they wait for a server that has the store.
const LOOK_EVERY: Duration = Duration::from_secs(2);

type ControlResponse = Response<BoxBody<Bytes, Unavailable>>;

/// What commands reach.
#[derive(Debug, Clone)]
pub struct Served {
    store: Arc<Store>,
    /// What is counted and not in the store yet.
    funnel: Option<Arc<Funnel>>,
}

impl Served {
    /// Has commands read what is counted up to now, too.
    pub fn new(store: Arc<Store>, funnel: Arc<Funnel>) -> Self {
        Self {
            store,
            funnel: Some(funnel),
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
        Self { store, funnel: None }
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

async fn respond(request: Request<Incoming>, served: Served) -> ControlResponse {
    let path = request.uri().path().to_owned();
    if matches!(path.as_str(), BACKUP | ReadCounts::PATH) {
        served.write_counts().await;
    }
    let store = served.store;
    match (request.method(), path.as_str()) {
        (&Method::GET, INQUIRIES | DOSSIERS) => {
            match query::read(request.uri().query().unwrap_or_default()) {
                Some(selection) => {
                    let sent = stream(&store, &path, selection).await;
                    sent.unwrap_or_else(|Unavailable| unreadable())
                }
                None => error(
                    StatusCode::BAD_REQUEST,
                    "since and until are RFC 3339 times, suspected is included or only, each at most once",
                ),
            }
        }
        (&Method::GET, SUBSCRIPTIONS) => match store.subscriptions().await {
            Ok(subscriptions) => lines(Ndjson::subscriptions(subscriptions, store)),
            Err(Unavailable) => unreadable(),
        },
        (&Method::GET, BACKUP) => backup(&store).await,
        (_, INQUIRIES | DOSSIERS | SUBSCRIPTIONS | BACKUP) => wrong_method("records are read by GET", "GET"),
        (&Method::POST, ERASURE) => erase(request.into_body(), &store).await,
        (&Method::POST, ReadAsks::PATH) => operate::<ReadAsks>(request, store).await,
        (&Method::POST, ReadCounts::PATH) => operate::<ReadCounts>(request, store).await,
        (&Method::POST, ReadDossier::PATH) => operate::<ReadDossier>(request, store).await,
        (&Method::POST, EndSubscription::PATH) => operate::<EndSubscription>(request, store).await,
        (&Method::POST, Release::PATH) => operate::<Release>(request, store).await,
        (&Method::POST, CheckRecords::PATH) => operate::<CheckRecords>(request, store).await,
        (&Method::POST, NoteBackup::PATH) => operate::<NoteBackup>(request, store).await,
        (&Method::POST, BelieveClock::PATH) => operate::<BelieveClock>(request, store).await,
        (&Method::POST, ReadFacts::PATH) => operate::<ReadFacts>(request, store).await,
        (&Method::POST, Retry::PATH) => operate::<Retry>(request, store).await,
        (_, ERASURE) => wrong_method("an erasure is requested by POST", "POST"),
        (&Method::POST, _) => error(StatusCode::NOT_FOUND, "this server does not know that command"),
        (_, path) if OPERATIONS.contains(&path) => wrong_method("this is asked for by POST", "POST"),
        _ => error(StatusCode::NOT_FOUND, "this server does not know that command"),
    }
}

/// The paths of the operations.
const OPERATIONS: [&str; 10] = [
    CheckRecords::PATH,
    NoteBackup::PATH,
    BelieveClock::PATH,
    ReadFacts::PATH,
    ReadAsks::PATH,
    ReadCounts::PATH,
    ReadDossier::PATH,
    EndSubscription::PATH,
    Release::PATH,
    Retry::PATH,
];

async fn stream(store: &Store, path: &str, selection: Selection) -> Result<ControlResponse, Unavailable> {
    let snapshot = store.snapshot().await?;
    let total = snapshot.count();
    let body = match path {
        DOSSIERS => Ndjson::dossiers(snapshot, selection.range),
        _ => Ndjson::inquiries(snapshot, selection),
    };
    let mut response = lines(body);
    let headers = response.headers_mut();
    headers.insert(TOTAL, HeaderValue::from(total));
    if path == INQUIRIES {
        headers.insert(TRAILER, HeaderValue::from_static(LEFT_OUT));
    }
    Ok(response)
}

async fn backup(store: &Store) -> ControlResponse {
    let image = match store.image().await {
        Ok(image) => image,
        Err(failed) => {
            tracing::error!(error = %failed, "a backup failed");
            return error(StatusCode::SERVICE_UNAVAILABLE, failed.to_string());
        }
    };
    let total = image.count();
    let mut response = Response::new(BackupBody::send(image).boxed());
    let headers = response.headers_mut();
    headers.insert(TOTAL, HeaderValue::from(total));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    response
}

fn lines(body: Ndjson) -> ControlResponse {
    let mut response = Response::new(body.boxed());
    let kind = HeaderValue::from_static("application/x-ndjson; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

async fn operate<O: Operation>(request: Request<Incoming>, store: Arc<Store>) -> ControlResponse {
    let body = read(request.into_body()).await;
    let Some(operation) = body.and_then(|body| serde_json::from_slice::<O>(&body).ok()) else {
        return error(
            StatusCode::BAD_REQUEST,
            "this server does not understand the request",
        );
    };
    match operation.run(store).await {
        Ok(answer) => {
            let json = serde_json::to_vec(&answer).unwrap_or_default();
            response(StatusCode::OK, json, "application/json")
        }
        Err(Unavailable) if O::CHANGES => {
            error(StatusCode::SERVICE_UNAVAILABLE, "the store cannot be written now")
        }
        Err(Unavailable) => unreadable(),
    }
}

/// Reads a body; `None` if it is too long, too slow or broken off.
async fn read(body: Incoming) -> Option<Bytes> {
    let read = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, MAX_BODY).collect()).await;
    Some(read.ok()?.ok()?.to_bytes())
}

fn unreadable() -> ControlResponse {
    error(StatusCode::SERVICE_UNAVAILABLE, "the store cannot be read now")
}

async fn erase(body: Incoming, store: &Store) -> ControlResponse {
    let Some(what) = read(body).await.and_then(|body| EraseRequest::parse(&body)) else {
        let expected = r#"the body is {"ids":["…"]} or {"until":"…"} with an RFC 3339 time, 4 MiB at most"#;
        return error(StatusCode::BAD_REQUEST, expected);
    };
    let erased = match store.erase(what).await {
        Ok(count) => EraseResponse::Erased(count),
        Err(EraseError::Unknown(id)) => EraseResponse::Unknown(id.to_string()),
        Err(failed) => {
            tracing::error!(error = %failed, "an erasure failed");
            return error(StatusCode::SERVICE_UNAVAILABLE, failed.to_string());
        }
    };
    let json = serde_json::to_vec(&erased).unwrap_or_default();
    response(StatusCode::OK, json, "application/json")
}

fn wrong_method(message: &'static str, allowed: &'static str) -> ControlResponse {
    let mut response = error(StatusCode::METHOD_NOT_ALLOWED, message);
    let allowed = HeaderValue::from_static(allowed);
    response.headers_mut().insert(ALLOW, allowed);
    response
}

fn error(status: StatusCode, message: impl Into<Bytes>) -> ControlResponse {
    response(status, message, "text/plain; charset=utf-8")
}

fn response(status: StatusCode, body: impl Into<Bytes>, kind: &'static str) -> ControlResponse {
    let body = Full::new(body.into()).map_err(|never| match never {});
    let mut response = Response::new(body.boxed());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
