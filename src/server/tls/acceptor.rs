//! Server-side TLS handshakes.

use std::io;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::NoServerSessionStorage;
use tokio_rustls::rustls::{Error, ServerConfig};
use tokio_rustls::server::TlsStream;

use super::resolver::{ACME_PROTOCOL, Resolver};

/// The ALPN name of HTTP/2.
const HTTP_2: &[u8] = b"h2";

/// The protocol negotiated in a handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1, also for clients that offer no protocol.
    Http1,
    /// HTTP/2.
    Http2,
    /// None: a CA has checked a challenge by the handshake alone.
    Challenge,
}

/// Performs handshakes. Clones share certificates and ticket keys.
#[derive(Debug, Clone)]
pub struct Acceptor(Arc<ServerConfig>);

impl Acceptor {
    /// Creates an acceptor for TLS 1.2 and 1.3 with the resolver's certificates.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(resolver: Arc<Resolver>) -> Result<Self, Error> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(resolver);
        config.alpn_protocols = [HTTP_2, b"http/1.1", ACME_PROTOCOL].map(<[u8]>::to_vec).into();
        // Stateless resumption: tickets are stored by the clients and cost no memory here.
        config.ticketer = ring::Ticketer::new()?;
        config.session_storage = Arc::new(NoServerSessionStorage {});
        // Prefer the strongest common suite, whatever the client prefers.
        config.ignore_client_order = true;
        Ok(Self(Arc::new(config)))
    }

    /// Performs the handshake of one connection.
    ///
    /// # Errors
    /// If the client does not speak TLS, there is no common version or suite, or there is no certificate yet.
    pub async fn accept(&self, stream: TcpStream) -> io::Result<(TlsStream<TcpStream>, Protocol)> {
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
