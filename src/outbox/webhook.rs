//! Calls the operator's webhook by the Standard Webhooks specification (<https://www.standardwebhooks.com>). The content of calls
//! is decided elsewhere.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use http::header::CONTENT_TYPE;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use jiff::Timestamp;
use sha2::Sha256;
use tokio::time::timeout;

use crate::config::Webhook;
use crate::outbox::sending::SendError;
use crate::outbox::sending::http_client::Server;

/// How much of a reply's body is read, so that the receiver can finish sending. Its content does not matter.
const ANSWER_LIMIT: usize = 16 * 1024;

/// Timeout for reading the body.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// Maximum size of a reply's head in bytes; hyper's minimum.
const HEAD_LIMIT: usize = 8 * 1024;

/// Timeout for each of the connection, the TLS handshake and the reply. Standard Webhooks recommends 15 to 30 s.
pub const STEP_TIME: Duration = Duration::from_secs(30);

/// A receiver of webhook calls.
pub struct WebhookEndpoint {
    webhook: Webhook,
    step_time: Duration,
}

impl WebhookEndpoint {
    /// Prepares to call, without reading or connecting. `step_time` is usually [`STEP_TIME`].
    pub fn new(webhook: Webhook, step_time: Duration) -> Self {
        Self { webhook, step_time }
    }

    /// Calls the receiver with a JSON body. `id` is the `webhook-id`, which retries keep; `now` is the time of this attempt, which
    /// the receiver compares with its clock. Succeeds once the receiver has answered 2xx.
    ///
    /// # Errors
    /// When the receiver does not answer 2xx. Only 410 is permanent: the receiver wants no more calls.
    pub async fn send(&self, id: &str, now: Timestamp, body: Bytes) -> Result<(), SendError> {
        let request = self.request(id, now.as_second(), body)?;
        let server = self.server();
        let stream = server.open(None, self.step_time).await?;
        let reply = server.exchange(stream, request, HEAD_LIMIT, self.step_time);
        // After any failure from here on, the receiver may have the request.
        let reply = reply.await.map_err(SendError::perhaps_taken)?;
        let verdict = judge(reply.head.status);
        // The status decides: a body that is too long, too slow or incomplete changes nothing.
        let _ = timeout(DRAIN_TIME, reply.whole(ANSWER_LIMIT)).await;
        verdict.map_err(SendError::perhaps_taken)
    }

    /// Connects to the receiver without sending anything.
    ///
    /// # Errors
    /// When a call would fail to connect.
    pub async fn check(&self) -> Result<(), SendError> {
        self.server().open(None, self.step_time).await?;
        Ok(())
    }

    fn server(&self) -> Server<'_> {
        Server::new("the webhook", &self.webhook.url)
    }

    fn request(&self, id: &str, timestamp: i64, body: Bytes) -> Result<Request<Full<Bytes>>, SendError> {
        let broken =
            || SendError::permanent("the call of the webhook cannot be put together; please report it");
        let signature = sign(self.webhook.key.expose(), id, timestamp, &body).ok_or_else(broken)?;
        let request = Request::builder()
            .method(Method::POST)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(Full::new(body));
        request.map_err(|_| broken())
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

/// The value of `webhook-signature`. HMAC accepts keys of any length, so `None` does not occur.
fn sign(key: &[u8], id: &str, timestamp: i64, body: &[u8]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Standard Webhooks.
    #[test]
    fn a_signature_is_that_of_the_specification() {
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(
            sign(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body).unwrap(),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }
}
