//! Chooses the certificate of each handshake. It can be exchanged at any time; connections keep theirs.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::RwLock;
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::certificate::Certificate;
use crate::web::Challenges;

/// The protocol of a directory that checks a name by TLS-ALPN-01 (RFC 8737).
pub const ACME_PROTOCOL: &[u8] = b"acme-tls/1";

/// The certificate of the server, shared by all its TLS listeners.
#[derive(Debug, Default)]
pub struct Resolver {
    /// For every name, and for clients that name no host: a client learns more from a certificate of another name than from a
    /// handshake that fails.
    certificate: RwLock<Option<Certificate>>,
    /// What answers a directory's challenges, here and on plain listeners.
    pub challenges: Challenges,
}

impl Resolver {
    /// Creates one without a certificate: until it has one, every handshake fails.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Sets the certificate, in the place of the former one.
    pub fn set_certificate(&self, certificate: Certificate) {
        *self.certificate.write() = Some(certificate);
    }

    /// Returns the certificate; `None` as long as there is none.
    pub fn certificate(&self) -> Option<Certificate> {
        self.certificate.read().clone()
    }

    /// Whether visitors can be served by TLS.
    pub fn has_certificate(&self) -> bool {
        self.certificate.read().is_some()
    }

    /// Answers a directory that checks a host; `None` unless that is under way. No visitor ever sees the certificate.
    fn answer(&self, host: &str) -> Option<Arc<CertifiedKey>> {
        let host = host.to_ascii_lowercase();
        let digest = self.challenges.response(Challenges::TLS_ALPN_01, &host)?;
        let answer = challenge_certificate(host, &STANDARD.decode(digest).ok()?);
        let answer = answer.inspect_err(|error| tracing::debug!(%error, "a challenge cannot be answered"));
        answer.ok().map(Arc::new)
    }
}

impl ResolvesServerCert for Resolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        // A directory offers this protocol alone, so no visitor is mistaken for one.
        let mut protocols = hello.alpn().into_iter().flatten();
        let is_challenge = protocols.next() == Some(ACME_PROTOCOL) && protocols.next().is_none();
        if is_challenge {
            self.answer(hello.server_name()?)
        } else {
            let certificate = self.certificate.read();
            certificate
                .as_ref()
                .map(|certificate| Arc::clone(&certificate.key))
        }
    }
}

/// Makes the self-signed certificate that answers a directory (RFC 8737). Its extension is critical, and only
/// directories know it, so it cannot be checked like others.
fn challenge_certificate(host: String, digest: &[u8]) -> Result<CertifiedKey, rcgen::Error> {
    let mut params = CertificateParams::new([host])?;
    params.distinguished_name = DistinguishedName::new();
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let loaded = ring::default_provider().key_provider.load_private_key(der);
    let loaded = loaded.map_err(|_| rcgen::Error::KeyGenerationUnavailable)?;
    Ok(CertifiedKey::new(vec![certificate.der().clone()], loaded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_answered_as_long_as_it_is_under_way() {
        let resolver = Resolver::new();
        let name = format!("{} a.example", Challenges::TLS_ALPN_01);
        resolver.challenges.set([(name, STANDARD.encode([7; 32]))]);
        assert!(resolver.answer("A.example").is_some());
        assert!(resolver.answer("b.example").is_none());
        assert!(!resolver.has_certificate());
        resolver.challenges.set([]);
        assert!(resolver.answer("a.example").is_none());
    }
}
