//! The server's side of the control socket.

use std::convert::Infallible;
use std::io::{self, Write};
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{ALLOW, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Serialize;
use tokio::net::UnixStream;
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use super::body::{ControlBody, stream, whole};
use super::socket::ControlListener;
use super::{BACKUP, RECORDS, SUBSCRIPTIONS};
use crate::operate::{CallError, Operations, RecordStream, calls};
use crate::store::{TimeRange, pack};

/// Time limits for the head and the body of a request. Our commands send both at once.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest request body, in bytes: somewhat more than the ids that fit on a command line (2 MiB on Linux).
const MAX_BODY: usize = 4 << 20;

/// How long exports may continue after shutdown begins. Most finish in time; the rest are cut off, and their commands report it.
const GRACE: Duration = Duration::from_secs(5);

/// Pause after a failed accept, for example when file descriptors run out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Interval of checks for the socket: shorter than commands wait for a server that has the store.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Serves commands until `shutdown` completes, then removes the socket.
pub async fn serve(
    mut listener: ControlListener,
    operations: impl Into<Operations>,
    shutdown: impl Future<Output = ()>,
) {
    let operations = operations.into();
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
                    connections.spawn(connection(stream, operations.clone()));
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
    // Dropping the set aborts those still open.
    let _ = tokio::time::timeout(GRACE, all).await;
}

async fn connection(stream: UnixStream, operations: Operations) {
    let service = service_fn(|request| {
        let operations = operations.clone();
        async move { Ok::<_, Infallible>(respond(request, operations).await) }
    });
    let ended = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        // A command sends one request; an idle connection would delay shutdown.
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = ended {
        tracing::debug!(%error, "a command broke off");
    }
}

async fn respond(request: hyper::Request<Incoming>, operations: Operations) -> Response<ControlBody> {
    if request.method() != Method::POST {
        let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, "this is asked for by POST");
        let headers = response.headers_mut();
        headers.insert(ALLOW, HeaderValue::from_static("POST"));
        return response;
    }
    let (head, body) = request.into_parts();
    let name = head.uri.path().trim_start_matches('/');
    let answer = match read(body).await {
        Some(fields) => Box::pin(answer(&operations, name, &fields)).await,
        None => None,
    };
    match answer {
        None => refuse(
            StatusCode::BAD_REQUEST,
            "this server does not understand the request",
        ),
        Some(Ok(response)) => response,
        // Serializing a refusal cannot fail.
        Some(Err(CallError::Refused(refused))) => refuse(
            StatusCode::CONFLICT,
            serde_json::to_vec(&refused).unwrap_or_default(),
        ),
        Some(Err(error)) => {
            let reason = match error {
                CallError::Unreadable => "the store cannot be read now".to_owned(),
                CallError::Unwritable => {
                    "the store cannot be written now: see that the disk has room, then try again".to_owned()
                }
                error => error.to_string(),
            };
            refuse(StatusCode::SERVICE_UNAVAILABLE, reason)
        }
    }
}

/// Answers a call, or streams records or a backup. `None` if the request is not understood.
async fn answer(
    operations: &Operations,
    name: &str,
    fields: &[u8],
) -> Option<Result<Response<ControlBody>, CallError>> {
    let sent = match name {
        RECORDS => {
            let range: TimeRange = serde_json::from_slice(fields).ok()?;
            operations.records(range).await.map(send)
        }
        SUBSCRIPTIONS => operations.subscriptions().await.map(send),
        BACKUP => return Some(backup(operations).await),
        name => {
            let answer = calls::answer(operations, name, fields).await?;
            return Some(answer.map(|json| Response::new(whole(json))));
        }
    };
    Some(sent)
}

/// Streams records as JSON lines.
fn send<T: Serialize + Send + 'static>(mut records: RecordStream<T>) -> Response<ControlBody> {
    let runtime = Handle::current();
    Response::new(stream(move |out| {
        while let Some(record) = runtime.block_on(records.try_next()).map_err(io::Error::other)? {
            serde_json::to_writer(&mut *out, &record)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }))
}

async fn backup(operations: &Operations) -> Result<Response<ControlBody>, CallError> {
    let made_at = operations.store.now();
    let rows = operations.rows().await?;
    Ok(Response::new(stream(move |out| {
        pack(rows, made_at, out).map_err(|error| {
            tracing::warn!(%error, "a backup broke off");
            io::Error::other(error)
        })
    })))
}

/// Reads a request body. `None` if it is too long, too slow or incomplete.
async fn read(body: Incoming) -> Option<Bytes> {
    let read = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, MAX_BODY).collect()).await;
    Some(read.ok()?.ok()?.to_bytes())
}

fn refuse(status: StatusCode, reason: impl Into<Bytes>) -> Response<ControlBody> {
    let mut response = Response::new(whole(reason));
    *response.status_mut() = status;
    response
}
