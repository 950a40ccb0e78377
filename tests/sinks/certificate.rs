//! A server certificate for this machine, and the authority that issued it.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A test server's certificate, and the authority for its clients.
pub struct Certificate {
    /// The authority's certificate.
    pub authority: CertificateDer<'static>,
    /// The authority's certificate in PEM.
    pub authority_pem: String,
    /// The server's certificate in PEM.
    pub pem: String,
    /// The server's key in PEM.
    pub key_pem: String,
    /// The TLS configuration of the server.
    pub server: Arc<ServerConfig>,
}

impl Certificate {
    /// Creates an authority and a certificate for these names.
    pub fn of(names: &[&str]) -> Self {
        Self::until(names, 4096)
    }

    /// Like [`Self::of`], with a certificate that expires at the start of a year.
    pub fn until(names: &[&str], year: i32) -> Self {
        Self::with(names, |leaf| leaf.not_after = date_time_ymd(year, 1, 1))
    }

    /// Like [`Self::of`], with a certificate valid from 1970 until `end`.
    pub fn ending(names: &[&str], end: Timestamp) -> Self {
        Self::with(names, |leaf| {
            let epoch = date_time_ymd(1970, 1, 1);
            leaf.not_before = epoch;
            leaf.not_after = epoch + Duration::from_secs(u64::try_from(end.as_second()).unwrap());
        })
    }

    fn with(names: &[&str], change: impl FnOnce(&mut CertificateParams)) -> Self {
        let mut authority = CertificateParams::new(vec![]).unwrap();
        // Differs from the subject of the certificate, which OpenSSL would otherwise consider self-signed.
        authority
            .distinguished_name
            .push(DnType::CommonName, "authority of the tests");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut leaf = CertificateParams::new(names).unwrap();
        change(&mut leaf);
        let leaf = leaf.signed_by(&key, &authority).unwrap();
        let server = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![leaf.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        Self {
            authority_pem: authority.pem(),
            authority: authority.der().clone(),
            pem: leaf.pem(),
            key_pem: key.serialize_pem(),
            server: Arc::new(server),
        }
    }
}
