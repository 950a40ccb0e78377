//! The server's side of handshakes.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::NoServerSessionStorage;
use tokio_rustls::rustls::{Error, ServerConfig};
use tokio_rustls::server::TlsStream;

use super::resolver::{ACME_PROTOCOL, Resolver};

/// HTTP/2, as ALPN names it.
const HTTP_2: &[u8] = b"h2";

/// What was agreed on in a handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Also for clients that name no protocol.
    Http1,
    /// HTTP/2.
    Http2,
    /// None: the handshake was all that a directory wanted.
    Challenge,
}

/// Makes handshakes. Clones share certificates and the keys of tickets.
#[derive(Debug, Clone)]
pub struct Acceptor(Arc<ServerConfig>);

impl Acceptor {
    /// Creates one for TLS 1.2 and 1.3 that shows the resolver's certificates.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn new(resolver: Arc<Resolver>) -> Result<Self, Error> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(resolver);
        config.alpn_protocols = [HTTP_2, b"http/1.1", ACME_PROTOCOL].map(<[u8]>::to_vec).into();
        // Sessions are resumed by tickets, which the clients keep: a crowd costs no memory.
        config.ticketer = ring::Ticketer::new()?;
        config.session_storage = Arc::new(NoServerSessionStorage {});
        // The strongest of the suites that both know, whatever old clients put first.
        config.ignore_client_order = true;
        Ok(Self(Arc::new(config)))
    }

    /// Makes the handshake of one connection.
    ///
    /// # Errors
    /// When the client speaks no TLS, or none that both know, or there is no certificate yet.
    pub async fn accept<S>(&self, stream: S) -> io::Result<(TlsStream<S>, Protocol)>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let acceptor = TlsAcceptor::from(Arc::clone(&self.0));
        let stream = acceptor.accept(stream).await?;
        let protocol = match stream.get_ref().1.alpn_protocol() {
            Some(HTTP_2) => Protocol::Http2,
            Some(ACME_PROTOCOL) => Protocol::Challenge,
            _ => Protocol::Http1,
        };
        Ok((stream, protocol))
    }
}
