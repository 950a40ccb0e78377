//! One certificate with its key, as the handshake needs it.

use std::sync::Arc;
use std::time::SystemTime;

use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error, InconsistentKeys};
use x509_cert::der::Decode;

/// A certificate chain with the key that belongs to it.
#[derive(Debug, Clone)]
pub struct Certificate {
    key: Arc<CertifiedKey>,
    not_after: SystemTime,
}

/// Why a chain and a key cannot serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// The first certificate cannot be read.
    #[error("the certificate cannot be read; it must be X.509 version 3")]
    Unreadable,
    /// The key is of a kind that TLS does not know, or damaged.
    #[error(
        "the key cannot be used; it must be an RSA key of at least 2048 bits, or one on P-256, P-384 or Ed25519"
    )]
    UnusableKey,
    /// The key belongs to another certificate.
    #[error("the key does not belong to the certificate")]
    Mismatch,
}

impl Certificate {
    /// Checks that the key belongs to the first certificate of the chain.
    ///
    /// # Errors
    /// When they cannot be used together. A certificate that has expired can.
    pub fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
    ) -> Result<Self, CertificateFault> {
        let leaf = chain.first().ok_or(CertificateFault::Unreadable)?;
        let not_after = not_after(leaf).ok_or(CertificateFault::Unreadable)?;
        let key = ring::default_provider()
            .key_provider
            .load_private_key(key)
            .map_err(|_| CertificateFault::UnusableKey)?;
        let key = CertifiedKey::new(chain, key);
        match key.keys_match() {
            // Keys that cannot tell belong to hardware, which is not used here.
            Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
            Err(Error::InconsistentKeys(_)) => return Err(CertificateFault::Mismatch),
            Err(_) => return Err(CertificateFault::Unreadable),
        }
        Ok(Self {
            key: Arc::new(key),
            not_after,
        })
    }

    /// Returns when it ends.
    pub fn not_after(&self) -> SystemTime {
        self.not_after
    }

    /// Returns whether it has ended.
    pub fn has_expired(&self) -> bool {
        self.not_after < SystemTime::now()
    }

    /// Returns what the handshake takes.
    pub(super) fn key(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.key)
    }
}

/// Returns when a certificate ends; `None` if it cannot be read.
fn not_after(certificate: &CertificateDer<'_>) -> Option<SystemTime> {
    let certificate = x509_cert::Certificate::from_der(certificate).ok()?;
    Some(certificate.tbs_certificate.validity.not_after.to_system_time())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    fn der(key: &KeyPair) -> PrivateKeyDer<'static> {
        PrivateKeyDer::try_from(key.serialize_der()).unwrap()
    }

    fn certificate(key: &KeyPair, end: i32) -> CertificateDer<'static> {
        let mut params = CertificateParams::new(vec!["www.example.de".to_owned()]).unwrap();
        params.not_after = date_time_ymd(end, 1, 2);
        params.self_signed(key).unwrap().der().clone()
    }

    #[test]
    fn the_end_of_a_certificate_is_known() {
        let key = KeyPair::generate().unwrap();
        for (year, seconds) in [(2001, 978_393_600), (2040, 2_209_075_200)] {
            let certificate = Certificate::new(vec![certificate(&key, year)], der(&key)).unwrap();
            let end = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(certificate.not_after(), end);
            assert_eq!(certificate.has_expired(), year < 2026);
        }
    }

    #[test]
    fn a_key_of_another_certificate_is_refused() {
        let (key, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let refused = Certificate::new(vec![certificate(&key, 2040)], der(&other));
        assert_eq!(refused.unwrap_err(), CertificateFault::Mismatch);
    }

    #[test]
    fn what_is_no_certificate_is_refused() {
        let key = KeyPair::generate().unwrap();
        for chain in [vec![], vec![CertificateDer::from(b"nonsense".to_vec())]] {
            let refused = Certificate::new(chain, der(&key));
            assert_eq!(refused.unwrap_err(), CertificateFault::Unreadable);
        }
    }
}
