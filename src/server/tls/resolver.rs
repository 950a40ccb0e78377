//! Selects the certificate of each handshake. It can be replaced at any time; open connections keep theirs.

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

/// The ALPN name of a CA's TLS-ALPN-01 check (RFC 8737).
pub const ACME_PROTOCOL: &[u8] = b"acme-tls/1";

/// The certificate of the server, shared by all its TLS listeners. Without one, every handshake fails.
#[derive(Debug, Default)]
pub struct Resolver {
    /// Used for every name, and for clients without SNI: a certificate with the wrong name tells a client more than a failed
    /// handshake.
    certificate: RwLock<Option<Certificate>>,
    /// The responses to a CA's challenges, for TLS and plain listeners.
    pub challenges: Challenges,
}

impl Resolver {
    /// Replaces the certificate.
    pub fn set_certificate(&self, certificate: Certificate) {
        *self.certificate.write() = Some(certificate);
    }

    /// The certificate; `None` until one is set.
    pub fn certificate(&self) -> Option<Certificate> {
        self.certificate.read().clone()
    }

    /// Whether TLS connections can be served.
    pub fn has_certificate(&self) -> bool {
        self.certificate.read().is_some()
    }

    /// The certificate that answers a challenge for a host; `None` if none is pending. Visitors never see it.
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
        // CAs offer only this protocol, so no visitor is mistaken for one.
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

/// Creates the self-signed certificate that answers a challenge (RFC 8737). Its extension is critical and known only to CAs, so no
/// other client accepts it.
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
        let resolver = Resolver::default();
        let name = format!("{} a.example", Challenges::TLS_ALPN_01);
        resolver.challenges.set([(name, STANDARD.encode([7; 32]))]);
        assert!(resolver.answer("A.example").is_some());
        assert!(resolver.answer("b.example").is_none());
        assert!(!resolver.has_certificate());
        resolver.challenges.set([]);
        assert!(resolver.answer("a.example").is_none());
    }
}
