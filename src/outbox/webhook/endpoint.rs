//! One call of the webhook: connection, request, reply.

use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use jiff::Timestamp;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::signature::sign;
use crate::config::Webhook;
use crate::outbox::sending::http_client::{Server, Stream};
use crate::outbox::sending::{self, SendError, is_loopback};

/// How much of a reply's body is read, so that the receiver can finish sending. Its content does not matter.
const ANSWER_LIMIT: usize = 16 * 1024;

/// How long that may take.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// How many bytes the head of a reply may have; hyper's minimum.
const HEAD_LIMIT: usize = 8 * 1024;

/// How long to wait for a receiver.
#[derive(Debug, Clone, Copy)]
pub struct WebhookTimes {
    /// For the connection and the TLS handshake, each.
    pub connect: Duration,
    /// For the answer, from the first byte of the request on.
    pub answer: Duration,
}

impl Default for WebhookTimes {
    /// Standard Webhooks advises 15 to 30 s for an answer.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            answer: Duration::from_secs(30),
        }
    }
}

/// The headers and body for the receiver.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// The `webhook-id`, the same at each repetition.
    pub id: &'a str,
    /// The time of this attempt, which the receiver compares with its clock.
    pub now: Timestamp,
    /// JSON.
    pub body: Bytes,
}

/// A receiver of calls.
pub struct WebhookEndpoint {
    webhook: Webhook,
    times: WebhookTimes,
    /// Made when first needed: the system's authorities take memory.
    tls: OnceCell<TlsConnector>,
}

impl WebhookEndpoint {
    /// Prepares calling. Nothing is read or connected yet.
    pub fn new(webhook: Webhook, times: WebhookTimes) -> Self {
        Self {
            webhook,
            times,
            tls: OnceCell::new(),
        }
    }

    /// Calls the receiver. Once it returns, the receiver has answered 2xx.
    ///
    /// # Errors
    /// Otherwise. Only 410 is permanent: the receiver wants no more calls.
    pub async fn send(&self, call: Call<'_>) -> Result<(), SendError> {
        let request = self.request(&call)?;
        let stream = self.connect().await?;
        self.exchange(stream, request)
            .await
            .map_err(SendError::perhaps_taken)
    }

    /// Connects to the receiver, and sends nothing.
    ///
    /// # Errors
    /// When a call would fail before that.
    pub async fn check(&self) -> Result<(), SendError> {
        self.connect().await.map(drop)
    }

    fn server(&self) -> Server<'_> {
        Server::new("the webhook", &self.webhook.url)
    }

    async fn connect(&self) -> Result<Stream, SendError> {
        let server = self.server();
        let stream = server.connect(self.times.connect).await?;
        if server.is_https() {
            let tls = self
                .tls
                .get_or_try_init(|| async { sending::tls_connector(None) })
                .await?;
            let encrypted = server.encrypt(stream, tls, self.times.connect).await?;
            Ok(Stream::Right(Box::new(encrypted)))
        } else if is_loopback(&stream) {
            Ok(Stream::Left(stream))
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
        let request = Request::builder()
            .method(Method::POST)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", call.id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(Full::new(call.body.clone()));
        request.map_err(|_| broken())
    }

    /// Sends a request and judges the reply. After any failure, the receiver may have the request.
    async fn exchange(&self, stream: Stream, request: Request<Full<Bytes>>) -> Result<(), SendError> {
        let server = self.server();
        let reply = server
            .exchange(stream, request, HEAD_LIMIT, self.times.answer)
            .await?;
        let verdict = judge(reply.head.status);
        // The status says it all: a body that is too long, too slow or breaks off changes nothing.
        let _ = timeout(DRAIN_TIME, reply.whole(ANSWER_LIMIT)).await;
        verdict
    }
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
