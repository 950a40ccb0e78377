//! One call: connection, request, answer.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::task::AbortOnDropHandle;

use super::signature::sign;
use crate::config::Webhook;
use crate::sending::{self, SendError, is_loopback, unbracketed};

/// How much of an answer's body is read, so that the receiver sees its answer taken. Nothing in it matters.
const ANSWER_LIMIT: usize = 16 * 1024;

/// How long that may take.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// How many bytes the head of an answer may have; hyper's least.
const HEAD_LIMIT: usize = 8 * 1024;

/// How long to wait for a receiver.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// For the connection and the TLS handshake, each.
    pub connect: Duration,
    /// For the answer, from the request's first byte on.
    pub answer: Duration,
}

impl Default for Times {
    /// Standard Webhooks advises 15 to 30 s for an answer.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            answer: Duration::from_secs(30),
        }
    }
}

/// What is said to the receiver.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// The `webhook-id`, the same at each repetition.
    pub id: &'a str,
    /// The time of this try, which the receiver compares with its clock.
    pub now: Timestamp,
    /// JSON.
    pub body: Bytes,
}

/// A connection to the receiver.
enum Connection {
    Encrypted(Box<TlsStream<TcpStream>>),
    /// Within this machine.
    Clear(TcpStream),
}

/// A receiver of calls.
pub struct Endpoint {
    webhook: Webhook,
    times: Times,
    /// Made when first needed: the system's authorities take memory.
    tls: OnceCell<TlsConnector>,
}

impl Endpoint {
    /// Prepares calling. Nothing is read or connected yet.
    pub fn new(webhook: Webhook, times: Times) -> Self {
        Self {
            webhook,
            times,
            tls: OnceCell::new(),
        }
    }

    /// Calls the receiver. Once it returns, the receiver has answered 2xx.
    ///
    /// # Errors
    /// When it has not. Only 410 is permanent: the receiver wants no more calls.
    pub async fn send(&self, call: Call<'_>) -> Result<(), SendError> {
        let request = self.request(&call)?;
        let exchanged = match self.connect().await? {
            Connection::Encrypted(stream) => self.exchange(*stream, request).await,
            Connection::Clear(stream) => self.exchange(stream, request).await,
        };
        exchanged.map_err(SendError::perhaps_taken)
    }

    /// Connects to the receiver, and sends nothing.
    ///
    /// # Errors
    /// When a call would not come as far.
    pub async fn check(&self) -> Result<(), SendError> {
        self.connect().await.map(drop)
    }

    async fn connect(&self) -> Result<Connection, SendError> {
        let uri = &self.webhook.url;
        let is_https = uri
            .scheme_str()
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
        let host = unbracketed(uri.host().unwrap_or_default());
        let port = uri.port_u16().unwrap_or(if is_https { 443 } else { 80 });
        let stream = sending::connect(host, port, self.times.connect).await?;
        if is_https {
            let tls = self
                .tls
                .get_or_try_init(|| async { sending::tls_connector(None) })
                .await?;
            let name = ServerName::try_from(host.to_owned()).map_err(|_| {
                SendError::transient("the webhook's host has no name that a certificate can hold")
            })?;
            let shaken = timeout(self.times.connect, tls.connect(name, stream)).await;
            let shaken = shaken.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
            let stream = shaken.map_err(|error| {
                SendError::transient(format_args!("the TLS handshake with the webhook failed: {error}"))
            })?;
            Ok(Connection::Encrypted(Box::new(stream)))
        } else if is_loopback(&stream) {
            Ok(Connection::Clear(stream))
        } else {
            Err(SendError::transient(
                "the webhook's http:// address is not on this machine; use https://",
            ))
        }
    }

    fn request(&self, call: &Call<'_>) -> Result<Request<Full<Bytes>>, SendError> {
        let timestamp = call.now.as_second();
        let broken =
            || SendError::permanent("the call of the webhook cannot be put together; please report it");
        let signature = sign(self.webhook.key.expose(), call.id, timestamp, &call.body).ok_or_else(broken)?;
        let uri = &self.webhook.url;
        let target = uri.path_and_query().map_or("/", |target| target.as_str());
        let host = uri.authority().map_or("", |authority| authority.as_str());
        let request = Request::post(target)
            .header(HOST, host)
            .header(USER_AGENT, concat!("taubenabwehr/", env!("CARGO_PKG_VERSION")))
            .header(CONTENT_TYPE, "application/json")
            .header(CONNECTION, "close")
            .header("webhook-id", call.id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(Full::new(call.body.clone()));
        request.map_err(|_| broken())
    }

    /// Sends a request and takes the answer. Whatever goes wrong, the receiver may have the request.
    async fn exchange<S>(&self, stream: S, request: Request<Full<Bytes>>) -> Result<(), SendError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let failed = |error: hyper::Error| {
            SendError::transient(format_args!(
                "the webhook broke off or its answer makes no sense: {error}"
            ))
        };
        let handshake = http1::Builder::new()
            .max_buf_size(HEAD_LIMIT)
            .handshake(TokioIo::new(stream));
        let (mut sender, connection) = handshake.await.map_err(failed)?;
        // Its errors show in the answer, too. It ends with this call.
        let _connection = AbortOnDropHandle::new(tokio::spawn(connection));
        let Ok(answer) = timeout(self.times.answer, sender.send_request(request)).await else {
            let seconds = self.times.answer.as_secs();
            return Err(SendError::transient(format_args!(
                "the webhook did not answer within {seconds} s"
            )));
        };
        let answer = answer.map_err(failed)?;
        let verdict = judge(answer.status());
        drain(answer).await;
        verdict
    }
}

/// Reads what is left of an answer, within bounds. The status says it all: a body that is too long, too slow or breaks off
/// changes nothing.
async fn drain(answer: Response<Incoming>) {
    let body = Limited::new(answer.into_body(), ANSWER_LIMIT);
    let _ = timeout(DRAIN_TIME, body.collect()).await;
}

fn judge(status: StatusCode) -> Result<(), SendError> {
    let number = status.as_u16();
    match status {
        status if status.is_success() => Ok(()),
        StatusCode::GONE => Err(SendError::permanent(
            "the webhook answered 410: it wants no more calls",
        )),
        status if status.is_redirection() => Err(SendError::transient(format_args!(
            "the webhook answered {number}; redirects are not followed, so set its final address"
        ))),
        _ => Err(SendError::transient(format_args!(
            "the webhook answered {number}"
        ))),
    }
}
