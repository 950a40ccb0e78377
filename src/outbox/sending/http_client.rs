//! HTTP/1.1 client for servers in the configuration: one connection per request, with deadlines, and limits on everything received.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::response::Parts;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST, HeaderValue, USER_AGENT};
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use rustls_pki_types::ServerName;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_util::either::Either;
use tokio_util::task::AbortOnDropHandle;

use super::error::SendError;

/// The default `User-Agent`. Operators of ACME directories need it to report a misbehaving client (RFC 8555, section 6.1).
const AGENT: HeaderValue = HeaderValue::from_static(concat!("taubenabwehr/", env!("CARGO_PKG_VERSION")));

/// A connection with or without TLS.
pub type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// The server of a URL.
pub struct Server<'a> {
    /// The name of the server in errors.
    pub name: &'a str,
    url: &'a Uri,
}

/// The head of a reply, and the connection for reading its body.
pub struct HttpReply {
    /// Status and headers.
    pub head: Parts,
    body: Incoming,
    _connection: AbortOnDropHandle<hyper::Result<()>>,
}

impl<'a> Server<'a> {
    /// The server of a URL, with its name in errors.
    pub fn new(name: &'a str, url: &'a Uri) -> Self {
        Self { name, url }
    }

    /// Whether the server uses TLS.
    pub fn is_https(&self) -> bool {
        self.url
            .scheme_str()
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
    }

    /// The host; an IPv6 address has no brackets.
    pub fn host(&self) -> &'a str {
        unbracketed(self.url.host().unwrap_or_default())
    }

    /// Connects to the server, and encrypts the connection for an HTTPS URL, trusting `roots` or else those of the system; `time`
    /// limits each of the two steps. Without TLS, the server must be on this machine.
    ///
    /// # Errors
    /// When none of its addresses answers, or it does not authenticate.
    pub async fn open(
        &self,
        roots: Option<&[CertificateDer<'static>]>,
        time: Duration,
    ) -> Result<Stream, SendError> {
        let stream = self.connect(time).await?;
        let name = self.name;
        if self.is_https() {
            let encrypted = self.encrypt(stream, &tls_connector(roots)?, time).await;
            let encrypted = encrypted.map_err(|error| {
                SendError::transient(format_args!("the TLS handshake with {name} failed: {error}"))
            })?;
            Ok(Stream::Right(Box::new(encrypted)))
        } else if is_loopback(&stream) {
            Ok(Stream::Left(stream))
        } else {
            Err(SendError::transient(format_args!(
                "{name}'s http:// address is not on this machine; use https://"
            )))
        }
    }

    /// Connects to the server, without TLS.
    ///
    /// # Errors
    /// When none of its addresses answers within `time`.
    pub async fn connect(&self, time: Duration) -> Result<TcpStream, SendError> {
        let port = self
            .url
            .port_u16()
            .unwrap_or(if self.is_https() { 443 } else { 80 });
        connect(self.host(), port, time).await
    }

    /// Encrypts a connection.
    ///
    /// # Errors
    /// When the server does not authenticate within `time`.
    pub async fn encrypt(
        &self,
        stream: TcpStream,
        tls: &TlsConnector,
        time: Duration,
    ) -> io::Result<TlsStream<TcpStream>> {
        let name = ServerName::try_from(self.host().to_owned())
            .map_err(|_| io::Error::other("its host has no name that a certificate can hold"))?;
        let encrypted = timeout(time, tls.connect(name, stream)).await;
        encrypted.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Sends a request for the URL; returns the reply once its head, of at most `head_limit` bytes, has arrived.
    ///
    /// # Errors
    /// When that does not happen within `time`. The server may have received the request anyway.
    pub async fn exchange(
        &self,
        stream: Stream,
        mut request: Request<Full<Bytes>>,
        head_limit: usize,
        time: Duration,
    ) -> Result<HttpReply, SendError> {
        let authority = self.url.authority().map_or("", |authority| authority.as_str());
        let host = HeaderValue::from_str(authority).map_err(|error| self.broke_off(error))?;
        *request.uri_mut() = self
            .url
            .path_and_query()
            .cloned()
            .map_or_else(Uri::default, Uri::from);
        let headers = request.headers_mut();
        headers.insert(HOST, host);
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        headers.entry(USER_AGENT).or_insert(AGENT);
        let exchanged = timeout(time, async {
            let mut builder = http1::Builder::new();
            builder.max_buf_size(head_limit);
            let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
            // Its errors also surface in the reply.
            let connection = AbortOnDropHandle::new(tokio::spawn(connection));
            let (head, body) = sender.send_request(request).await?.into_parts();
            Ok(HttpReply {
                head,
                body,
                _connection: connection,
            })
        });
        let exchanged = exchanged.await.map_err(|_| self.is_late(time))?;
        exchanged.map_err(|error: hyper::Error| self.broke_off(error))
    }

    /// The error for a server that closes the connection or does not speak HTTP, without quoting it.
    pub fn broke_off(&self, error: impl Display) -> SendError {
        let name = self.name;
        SendError::transient(format_args!(
            "{name} broke off or its reply is not understood: {error}"
        ))
    }

    /// The error for a server that does not answer in time.
    pub fn is_late(&self, time: Duration) -> SendError {
        let (name, seconds) = (self.name, time.as_secs());
        SendError::transient(format_args!("{name} did not answer within {seconds} s"))
    }
}

impl HttpReply {
    /// Reads the body.
    ///
    /// # Errors
    /// When the body exceeds `limit` bytes or is cut short.
    pub async fn whole(self, limit: usize) -> Result<Response<Bytes>, Box<dyn Error + Send + Sync>> {
        let body = Limited::new(self.body, limit).collect().await?;
        Ok(Response::from_parts(self.head, body.to_bytes()))
    }
}

/// A TLS client configuration that trusts the given certificates, or else those of the system (respecting `SSL_CERT_FILE` and
/// `SSL_CERT_DIR`). Unusable certificates are skipped, since some systems have them.
///
/// # Errors
/// When no certificate is left: transient, since the operator can correct it.
pub fn tls_connector(own: Option<&[CertificateDer<'static>]>) -> Result<TlsConnector, SendError> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(match own {
        Some(own) => own.to_vec(),
        None => rustls_native_certs::load_native_certs().certs,
    });
    if store.is_empty() {
        return Err(SendError::transient(match own {
            Some(_) => "ca_file holds no certificate that can be used",
            None => {
                "the system has no certificates of authorities; install ca-certificates, or set SSL_CERT_FILE"
            }
        }));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| SendError::transient(format_args!("TLS cannot be set up: {error}")))?
        .with_root_certificates(store)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Timeout for one address of a host. Hosts often have one per protocol family; one that drops packets must not use up the time
/// for the others.
const TIME_PER_ADDRESS: Duration = Duration::from_secs(10);

/// Connects to a host within `time`, trying its addresses in turn.
///
/// # Errors
/// When no address answers. The error is transient.
pub async fn connect(host: &str, port: u16, time: Duration) -> Result<TcpStream, SendError> {
    let connected = timeout(time, try_each(host, port)).await;
    let stream = connected.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    stream
        .map_err(|error| SendError::transient(format_args!("cannot connect to {host} port {port}: {error}")))
}

async fn try_each(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in lookup_host((unbracketed(host), port)).await? {
        match timeout(TIME_PER_ADDRESS, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Ok(Err(error)) => last = error,
            Err(_) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(last)
}

/// The host in the form that the system's resolver and TLS expect: URLs put brackets around an IPv6 address.
pub fn unbracketed(host: &str) -> &str {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.unwrap_or(host)
}

/// Whether the peer of a connection is on this machine.
pub fn is_loopback(stream: &TcpStream) -> bool {
    stream
        .peer_addr()
        .is_ok_and(|peer| IpAddr::to_canonical(&peer.ip()).is_loopback())
}
