//! The HTTP client for the CA, which remembers its `Retry-After`.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{HeaderValue, RETRY_AFTER, USER_AGENT};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use rustls_pki_types::CertificateDer;
use tokio::time::timeout;

use crate::outbox::sending::http_client::Server;

/// Timeout of the TCP connection, and of the TLS handshake.
const CONNECT_TIME: Duration = Duration::from_secs(20);

/// Timeout of a whole response. Let's Encrypt takes a few seconds under load.
const ANSWER_TIME: Duration = Duration::from_mins(1);

/// Maximum size of a response body in bytes. A certificate chain has about 10 KB.
const ANSWER_LIMIT: usize = 1024 * 1024;

/// Maximum size of a response head in bytes.
const HEAD_LIMIT: usize = 32 * 1024;

/// A client for one CA.
#[derive(Clone)]
pub struct Client {
    /// The trusted roots; `None` for those of the system.
    roots: Option<Arc<[CertificateDer<'static>]>>,
    /// The `Retry-After` of the last error response.
    hold_until: Arc<Mutex<Option<Timestamp>>>,
}

impl Client {
    /// Creates a client that trusts these roots, or those of the system.
    pub fn new(roots: Option<Vec<CertificateDer<'static>>>) -> Self {
        Self {
            roots: roots.map(Arc::from),
            hold_until: Arc::default(),
        }
    }

    /// The time before which the CA wants no further requests.
    pub fn hold_until(&self) -> Option<Timestamp> {
        *self.hold_until.lock()
    }

    async fn call(self, request: Request<BodyWrapper<Bytes>>) -> Result<Response<Bytes>, Error> {
        let url = request.uri().clone();
        let server = Server::new(url.host().unwrap_or_default(), &url);
        let answer = timeout(ANSWER_TIME, async {
            let stream = server.open(self.roots.as_deref(), CONNECT_TIME).await?;
            let (mut head, body) = request.into_parts();
            // Drop the library's name so that ours is sent.
            head.headers.remove(USER_AGENT);
            let Ok(body) = body.collect().await;
            let request = Request::from_parts(head, Full::new(body.to_bytes()));
            let reply = server.exchange(stream, request, HEAD_LIMIT, ANSWER_TIME).await?;
            let whole = reply.whole(ANSWER_LIMIT).await;
            whole.map_err(|error| server.broke_off(error))
        });
        let answer = answer.await.unwrap_or_else(|_| Err(server.is_late(ANSWER_TIME)));
        let answer = answer.map_err(|error| Error::Other(error.into()))?;
        let status = answer.status();
        if !status.is_success() {
            *self.hold_until.lock() = retry_after(answer.headers().get(RETRY_AFTER), Timestamp::now());
            // ACME errors are JSON objects; errors from a proxy in front of the CA are not.
            if answer.body().trim_ascii_start().first() != Some(&b'{') {
                return Err(Error::Other(format!("{} answered {status}", server.name).into()));
            }
        }
        Ok(answer)
    }
}

impl HttpClient for Client {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let call = self.clone().call(request);
        Box::pin(async move { Ok(BytesResponse::from(call.await?.map(Full::new))) })
    }
}

/// Parses a `Retry-After` header: seconds, or a date.
fn retry_after(value: Option<&HeaderValue>, now: Timestamp) -> Option<Timestamp> {
    let value = value?.to_str().ok()?.trim();
    match value.parse::<u32>() {
        Ok(seconds) => now
            .checked_add(SignedDuration::from_secs(i64::from(seconds)))
            .ok(),
        Err(_) => DateTimeParser::new().parse_timestamp(value).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_say_how_long_to_wait() {
        let now: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        for (value, expected) in [
            ("120", Some("2026-01-01T12:02:00Z")),
            (" 0 ", Some("2026-01-01T12:00:00Z")),
            ("Fri, 02 Jan 2026 08:00:00 GMT", Some("2026-01-02T08:00:00Z")),
            ("soon", None),
            ("-5", None),
            ("99999999999", None),
        ] {
            let header = HeaderValue::from_static(value);
            let expected = expected.map(|time| time.parse().unwrap());
            assert_eq!(retry_after(Some(&header), now), expected, "{value}");
        }
        assert_eq!(retry_after(None, now), None);
    }
}
