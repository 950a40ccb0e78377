//! A TLS client that trusts a single authority.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{
    ALL_VERSIONS, ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion,
};

/// Far more than a busy machine needs to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The configuration of a client that offers the given protocols.
pub fn trusting(authority: &CertificateDer<'static>, protocols: &[&str]) -> Arc<ClientConfig> {
    trusting_by(ALL_VERSIONS, authority, protocols)
}

/// Like [`trusting`], restricted to the given versions of TLS.
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

/// Sends a GET request to `localhost` by HTTP/1.1; returns the reply with its head.
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
