//! The server's side of the control socket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use tokio::net::UnixStream;
use tokio::task::JoinSet;

use super::stream::Lines;
use super::{INQUIRIES, Listener, TOTAL};
use crate::inquiry::parse_rfc3339;
use crate::store::{Store, TimeRange, Unavailable};

/// How long a client may take for the head of its request; ours send it at once.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long exports may go on once the server is told to end; then they are broken off, which their commands
/// report. Most are done by then, and nobody has to wait for one that hangs.
const GRACE: Duration = Duration::from_secs(5);

/// Pause after the system gave no connection, such as for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

type Answer = Response<BoxBody<Bytes, Unavailable>>;

/// Answers commands until `shutdown` is done; then removes the socket.
pub async fn serve(listener: Listener, store: Arc<Store>, shutdown: impl Future<Output = ()>) {
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok(stream) => {
                    connections.spawn(connection(stream, Arc::clone(&store)));
                }
                Err(error) => {
                    tracing::warn!(%error, "the control socket gave no connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    let all = async { while connections.join_next().await.is_some() {} };
    // Those still open end when the set is dropped.
    let _ = tokio::time::timeout(GRACE, all).await;
}

async fn connection(stream: UnixStream, store: Arc<Store>) {
    let service = service_fn(|request| {
        let answer = answer(&request, &store);
        async { Ok::<_, Infallible>(answer) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        // One command, one request: an idle connection would hold up the end of the server.
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a command broke off");
    }
}

fn answer(request: &Request<Incoming>, store: &Store) -> Answer {
    match (request.method(), request.uri().path()) {
        (&Method::GET, INQUIRIES) => match range(request.uri().query().unwrap_or_default()) {
            Some(range) => inquiries(store, range).unwrap_or_else(|Unavailable| {
                refusal(StatusCode::SERVICE_UNAVAILABLE, "the store cannot be read now")
            }),
            None => refusal(
                StatusCode::BAD_REQUEST,
                "since and until are RFC 3339 times, each at most once",
            ),
        },
        (_, INQUIRIES) => {
            let mut answer = refusal(StatusCode::METHOD_NOT_ALLOWED, "inquiries are read by GET");
            answer
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET"));
            answer
        }
        _ => refusal(StatusCode::NOT_FOUND, "this server does not know that command"),
    }
}

fn inquiries(store: &Store, range: TimeRange) -> Result<Answer, Unavailable> {
    let snapshot = store.snapshot()?;
    let total = snapshot.len()?;
    let mut answer = Response::new(Lines::of(snapshot, range).boxed());
    let headers = answer.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/x-ndjson; charset=utf-8"),
    );
    headers.insert(TOTAL, HeaderValue::from(total));
    Ok(answer)
}

/// Reads the query; `None` if something in it is not understood.
fn range(query: &str) -> Option<TimeRange> {
    let mut range = TimeRange::default();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=')?;
        let value = percent_decode_str(value).decode_utf8().ok()?;
        let bound = match name {
            "since" => &mut range.since,
            "until" => &mut range.until,
            _ => return None,
        };
        if bound.replace(parse_rfc3339(&value)?).is_some() {
            return None;
        }
    }
    Some(range)
}

fn refusal(status: StatusCode, message: &'static str) -> Answer {
    let body = Full::new(Bytes::from_static(message.as_bytes())).map_err(|never| match never {});
    let mut answer = Response::new(body.boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_names_each_bound_at_most_once() {
        assert_eq!(range(""), Some(TimeRange::default()));
        let both = range("since=2026-11-01T00%3A00:00Z&until=2026-11-02T00:00:00%2B01:00").unwrap();
        assert_eq!(both.since.unwrap().to_string(), "2026-11-01T00:00:00Z");
        assert_eq!(both.until.unwrap().to_string(), "2026-11-01T23:00:00Z");
        for wrong in [
            "since",
            "since=",
            "since=2026-11-01",
            "from=2026-11-01T00:00:00Z",
            "since=2026-11-01T00:00:00Z&since=2026-11-01T00:00:00Z",
            "since=2026-11-01T00:00:00+01:00%ff",
        ] {
            assert_eq!(range(wrong), None, "{wrong}");
        }
    }
}
