//! A client by TLS that trusts one authority and no other.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{
    ALL_VERSIONS, ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion,
};

/// Far above what a busy machine needs for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns the settings of a client that offers these protocols.
pub fn trusting(authority: &CertificateDer<'static>, protocols: &[&str]) -> Arc<ClientConfig> {
    trusting_by(ALL_VERSIONS, authority, protocols)
}

/// Returns the same for these versions of TLS alone.
pub fn trusting_by(
    versions: &[&'static SupportedProtocolVersion],
    authority: &CertificateDer<'static>,
    protocols: &[&str],
) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols
        .iter()
        .map(|protocol| protocol.as_bytes().to_vec())
        .collect();
    Arc::new(config)
}

/// Asks `localhost` for a path by HTTP/1.1, and returns the answer with its head.
pub fn get(address: SocketAddr, authority: &CertificateDer<'static>, path: &str) -> io::Result<String> {
    let client = ClientConnection::new(trusting(authority, &[]), "localhost".try_into().unwrap()).unwrap();
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut stream = StreamOwned::new(client, stream);
    let host = format!("localhost:{}", address.port());
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
