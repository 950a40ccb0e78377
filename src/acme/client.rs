//! How the directory is reached: one connection a request, with deadlines and bounds on everything it sends.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST, HeaderValue, RETRY_AFTER, USER_AGENT};
use hyper::{Request, Response, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use instant_acme::{BodyWrapper, BytesResponse, HttpClient};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_util::task::AbortOnDropHandle;

use crate::sending::{self, SendError, unbracketed};

/// The name by which this program introduces itself. The operators of a directory look for it when a program misbehaves
/// (RFC 8555, section 6.1).
const AGENT: HeaderValue = HeaderValue::from_static(concat!("taubenabwehr/", env!("CARGO_PKG_VERSION")));

/// For the connection and the TLS handshake, each.
const CONNECT_TIME: Duration = Duration::from_secs(20);

/// For a whole answer. Let's Encrypt takes some seconds when it is busy.
const ANSWER_TIME: Duration = Duration::from_mins(1);

/// How many bytes an answer may have. A chain of certificates has ten thousand.
const ANSWER_LIMIT: usize = 1024 * 1024;

/// How many bytes its head may have.
const HEAD_LIMIT: usize = 32 * 1024;

/// Why the directory gave no answer that makes sense.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// It could not be connected to.
    #[error(transparent)]
    Unreachable(#[from] SendError),
    /// TLS.
    #[error("the TLS handshake with {0} failed: {1}")]
    Tls(String, std::io::Error),
    /// It names an address that is not to be called.
    #[error("the directory names an address that is not https://")]
    NotHttps,
    /// It broke off, or does not speak HTTP.
    #[error("{0} broke off: {1}")]
    BrokenOff(String, Box<dyn std::error::Error + Send + Sync>),
    /// It does not answer.
    #[error("{0} did not answer within {seconds} s", seconds = ANSWER_TIME.as_secs())]
    Late(String),
    /// It refused without saying why in the way of ACME, as servers in front of a directory do.
    #[error("{0} answered {1}")]
    Status(String, StatusCode),
}

/// A client for one directory.
#[derive(Clone)]
pub struct Client {
    tls: TlsConnector,
    /// Until when the directory asked to be left alone in its last refusal.
    hold_until: Arc<Mutex<Option<Timestamp>>>,
}

impl Client {
    /// Prepares calling. Reads the system's roots if there are no others.
    ///
    /// # Errors
    /// When there is no root at all.
    pub fn new(roots: Option<&[CertificateDer<'static>]>) -> Result<Self, ClientError> {
        Ok(Self {
            tls: sending::tls_connector(roots)?,
            hold_until: Arc::default(),
        })
    }

    /// Returns until when the directory asked to be left alone.
    pub fn hold_until(&self) -> Option<Timestamp> {
        *self.hold_until.lock()
    }

    async fn call(self, mut request: Request<BodyWrapper<Bytes>>) -> Result<Response<Bytes>, ClientError> {
        let uri = request.uri().clone();
        let host = uri.host().unwrap_or_default();
        prepare(&mut request, &uri)?;
        let answer = timeout(ANSWER_TIME, self.exchange(host, uri.port_u16(), request)).await;
        let answer = answer.unwrap_or_else(|_| Err(ClientError::Late(host.to_owned())))?;
        if !answer.status().is_success() {
            *self.hold_until.lock() = retry_after(answer.headers().get(RETRY_AFTER), Timestamp::now());
            // Every refusal of a directory is a JSON object.
            if answer.body().trim_ascii_start().first() != Some(&b'{') {
                return Err(ClientError::Status(host.to_owned(), answer.status()));
            }
        }
        Ok(answer)
    }

    async fn exchange(
        &self,
        host: &str,
        port: Option<u16>,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Result<Response<Bytes>, ClientError> {
        let host = unbracketed(host).to_owned();
        let stream = sending::connect(&host, port.unwrap_or(443), CONNECT_TIME).await?;
        let name = ServerName::try_from(host.clone());
        let name =
            name.map_err(|_| SendError::transient("its host has no name that a certificate can hold"))?;
        let shaken = timeout(CONNECT_TIME, self.tls.connect(name, stream)).await;
        let shaken = shaken.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()));
        let stream = shaken.map_err(|error| ClientError::Tls(host.clone(), error))?;
        let broken =
            |error: Box<dyn std::error::Error + Send + Sync>| ClientError::BrokenOff(host.clone(), error);
        let (mut sender, connection) = http1::Builder::new()
            .max_buf_size(HEAD_LIMIT)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| broken(error.into()))?;
        // Its errors show in the answer, too. It ends with this call.
        let _connection = AbortOnDropHandle::new(tokio::spawn(connection));
        let answer = sender.send_request(request).await;
        let (head, body) = answer.map_err(|error| broken(error.into()))?.into_parts();
        let body = Limited::new(body, ANSWER_LIMIT).collect().await.map_err(broken)?;
        Ok(Response::from_parts(head, body.to_bytes()))
    }
}

impl HttpClient for Client {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, instant_acme::Error>> + Send>> {
        let call = self.clone().call(request);
        Box::pin(async move {
            match call.await {
                Ok(answer) => Ok(BytesResponse::from(answer.map(Full::new))),
                Err(error) => Err(instant_acme::Error::Other(Box::new(error))),
            }
        })
    }
}

/// Gives a request the form that HTTP/1.1 sends.
fn prepare(request: &mut Request<BodyWrapper<Bytes>>, uri: &Uri) -> Result<(), ClientError> {
    if uri.scheme_str() != Some("https") {
        return Err(ClientError::NotHttps);
    }
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let host = HeaderValue::from_str(authority).map_err(|_| ClientError::NotHttps)?;
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    *request.uri_mut() = target.parse().map_err(|_| ClientError::NotHttps)?;
    let headers = request.headers_mut();
    headers.insert(HOST, host);
    headers.insert(USER_AGENT, AGENT);
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    Ok(())
}

/// Reads a `Retry-After`: seconds, or a date.
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
