//! Chooses the certificate of each handshake. Certificates can be exchanged at any time; connections keep theirs.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::RwLock;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::certificate::Certificate;

/// The protocol of a directory that checks a name by TLS-ALPN-01 (RFC 8737).
pub const ACME_PROTOCOL: &[u8] = b"acme-tls/1";

/// The certificates of the server, shared by all its TLS listeners.
#[derive(Debug, Default)]
pub struct Resolver(RwLock<Certificates>);

#[derive(Debug, Default)]
struct Certificates {
    /// For every name that has none of its own, and for clients that name no host.
    default: Option<Certificate>,
    /// By host name in lower case.
    named: HashMap<String, Certificate>,
    /// Answers to a directory's challenges, likewise. They are self-signed, and no visitor ever sees one.
    challenges: HashMap<String, Arc<CertifiedKey>>,
}

impl Resolver {
    /// Creates one without certificates: until it has one, every handshake fails.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Sets the certificate of every host that has none of its own, in the place of the former one.
    pub fn set_default(&self, certificate: Certificate) {
        self.0.write().default = Some(certificate);
    }

    /// Sets the certificate of one host, in the place of the former one.
    pub fn set(&self, host: &str, certificate: Certificate) {
        let mut certificates = self.0.write();
        certificates.named.insert(host.to_ascii_lowercase(), certificate);
    }

    /// Sets what answers a challenge by TLS-ALPN-01 for a host, until [`Self::remove_challenge`].
    pub fn set_challenge(&self, host: &str, key: Arc<CertifiedKey>) {
        let mut certificates = self.0.write();
        certificates.challenges.insert(host.to_ascii_lowercase(), key);
    }

    /// Forgets a challenge.
    pub fn remove_challenge(&self, host: &str) {
        self.0.write().challenges.remove(&host.to_ascii_lowercase());
    }

    /// Returns whether visitors can be served by TLS.
    pub fn has_certificate(&self) -> bool {
        let certificates = self.0.read();
        certificates.default.is_some() || !certificates.named.is_empty()
    }

    /// Returns when the first of the certificates ends; `None` as long as there is none.
    pub fn first_end(&self) -> Option<SystemTime> {
        let certificates = self.0.read();
        let all = certificates.default.iter().chain(certificates.named.values());
        all.map(Certificate::not_after).min()
    }

    fn find(&self, host: Option<&str>) -> Option<Arc<CertifiedKey>> {
        let certificates = self.0.read();
        let named = host.and_then(|host| certificates.named.get(&host.to_ascii_lowercase()));
        // A client that asks for an address names no host. It learns more from a certificate of another name than from
        // a handshake that fails.
        let found = named
            .or(certificates.default.as_ref())
            .or_else(|| certificates.named.values().next());
        found.map(Certificate::key)
    }

    fn find_challenge(&self, host: Option<&str>) -> Option<Arc<CertifiedKey>> {
        let host = host?.to_ascii_lowercase();
        self.0.read().challenges.get(&host).map(Arc::clone)
    }
}

impl ResolvesServerCert for Resolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        // A directory offers this protocol alone, so no visitor is mistaken for one.
        let mut protocols = hello.alpn().into_iter().flatten();
        let is_challenge = protocols.next() == Some(ACME_PROTOCOL) && protocols.next().is_none();
        if is_challenge {
            self.find_challenge(hello.server_name())
        } else {
            self.find(hello.server_name())
        }
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertifiedKey as Generated, generate_simple_self_signed};
    use rustls_pki_types::PrivateKeyDer;

    use super::*;

    fn certificate(name: &str) -> Certificate {
        let Generated { cert, signing_key } = generate_simple_self_signed([name.to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        Certificate::new(vec![cert.der().clone()], key).unwrap()
    }

    #[test]
    fn each_host_has_its_own_certificate() {
        let resolver = Resolver::new();
        assert!(!resolver.has_certificate());
        assert!(resolver.first_end().is_none());
        assert!(resolver.find(Some("a.example")).is_none());
        let (first, second, rest) = (certificate("a"), certificate("b"), certificate("c"));
        resolver.set("A.example", first.clone());
        resolver.set("b.example", second.clone());
        let is =
            |host, expected: &Certificate| Arc::ptr_eq(&resolver.find(Some(host)).unwrap(), &expected.key());
        assert!(is("a.example", &first) && is("B.example", &second));
        assert!(resolver.find(None).is_some() && resolver.has_certificate());
        resolver.set_default(rest.clone());
        assert!(is("a.example", &first) && is("c.example", &rest));
        assert_eq!(
            resolver.first_end(),
            [first, second, rest].iter().map(Certificate::not_after).min()
        );
    }

    #[test]
    fn a_challenge_is_answered_until_it_is_removed() {
        let resolver = Resolver::new();
        resolver.set_challenge("A.example", certificate("a").key());
        assert!(resolver.find_challenge(Some("a.example")).is_some());
        assert!(resolver.find_challenge(Some("b.example")).is_none());
        assert!(resolver.find_challenge(None).is_none());
        assert!(resolver.find(Some("a.example")).is_none());
        resolver.remove_challenge("a.example");
        assert!(resolver.find_challenge(Some("a.example")).is_none());
    }
}
