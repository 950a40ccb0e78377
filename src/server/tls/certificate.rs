//! A certificate with its key, and the fields that the server needs from it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use jiff::Timestamp;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error, InconsistentKeys};
use x509_cert::der::Decode;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::time::Time;

/// A certificate chain with its private key.
#[derive(Debug, Clone)]
pub struct Certificate {
    pub(super) key: Arc<CertifiedKey>,
    /// The host names in lower case.
    pub names: BTreeSet<String>,
    /// The validity period.
    pub validity: Range<Timestamp>,
}

/// Why a chain and a key cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// No chain was found.
    #[error("there is no certificate in PEM")]
    NoCertificate,
    /// No key was found.
    #[error("there is no private key without a password in PEM")]
    NoKey,
    /// The leaf certificate cannot be parsed.
    #[error("the certificate cannot be read; it must be X.509 version 3")]
    Unreadable,
    /// The key is damaged, or of a type that TLS does not support.
    #[error(
        "the key cannot be used; it must be an RSA key of at least 2048 bits, or one on P-256, P-384 or Ed25519"
    )]
    UnusableKey,
    /// The key belongs to another certificate.
    #[error("the key does not belong to the certificate")]
    Mismatch,
}

impl Certificate {
    /// Parses a PEM chain, leaf certificate first, and its PEM key. An expired certificate is not an error.
    ///
    /// # Errors
    /// If either is missing, or they do not belong together.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, CertificateFault> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain).collect();
        let chain = chain.map_err(|_| CertificateFault::NoCertificate)?;
        let leaf = chain.first().ok_or(CertificateFault::NoCertificate)?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| CertificateFault::NoKey)?;
        let leaf = x509_cert::Certificate::from_der(leaf).map_err(|_| CertificateFault::Unreadable)?;
        let key = ring::default_provider()
            .key_provider
            .load_private_key(key)
            .map_err(|_| CertificateFault::UnusableKey)?;
        let key = CertifiedKey::new(chain, key);
        match key.keys_match() {
            // Keys without a readable public part are hardware keys, which are not used here.
            Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
            Err(Error::InconsistentKeys(_)) => return Err(CertificateFault::Mismatch),
            Err(_) => return Err(CertificateFault::Unreadable),
        }
        let names = leaf.tbs_certificate.get::<SubjectAltName>().ok().flatten();
        let names = names.into_iter().flat_map(|(_, names)| names.0);
        let names: BTreeSet<String> = names
            .filter_map(|name| match name {
                GeneralName::DnsName(name) => Some(name.as_str().to_ascii_lowercase()),
                _ => None,
            })
            .collect();
        let period = leaf.tbs_certificate.validity;
        // Certificates without expiry end at 9999-12-31T23:59:59Z, which is past the last representable time.
        let time = |time: Time| Timestamp::try_from(time.to_system_time()).unwrap_or(Timestamp::MAX);
        Ok(Self {
            key: Arc::new(key),
            names,
            validity: time(period.not_before)..time(period.not_after),
        })
    }

    /// A number derived from the signature, stable for the certificate.
    pub fn chance(&self) -> u32 {
        let end = self.key.cert.first().and_then(|leaf| leaf.last_chunk());
        end.copied().map_or(0, u32::from_be_bytes)
    }

    /// Whether it has expired.
    pub fn has_expired(&self) -> bool {
        self.validity.end < Timestamp::now()
    }

    /// Whether it is for exactly these names, which must be in lower case.
    pub fn is_for<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> bool {
        let names: BTreeSet<&str> = names.into_iter().collect();
        names == self.names.iter().map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    fn read(chain: &str, key: &KeyPair) -> Result<Certificate, CertificateFault> {
        Certificate::from_pem(chain.as_bytes(), key.serialize_pem().as_bytes())
    }

    fn certificate(key: &KeyPair, end: i32) -> String {
        let mut params = CertificateParams::new(vec!["www.example.de".to_owned()]).unwrap();
        params.not_after = date_time_ymd(end, 1, 2);
        params.self_signed(key).unwrap().pem()
    }

    #[test]
    fn the_end_of_a_certificate_is_known() {
        let key = KeyPair::generate().unwrap();
        for (year, seconds) in [(2001, 978_393_600), (2040, 2_209_075_200)] {
            let certificate = read(&certificate(&key, year), &key).unwrap();
            assert_eq!(certificate.validity.end.as_second(), seconds);
            assert_eq!(certificate.has_expired(), year < 2026);
        }
    }

    #[test]
    fn a_key_of_another_certificate_is_refused() {
        let (key, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let refused = read(&certificate(&key, 2040), &other);
        assert_eq!(refused.unwrap_err(), CertificateFault::Mismatch);
    }

    #[test]
    fn what_is_no_certificate_is_refused() {
        let key = KeyPair::generate().unwrap();
        let nonsense = "-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n";
        let refused = read(nonsense, &key);
        assert_eq!(refused.unwrap_err(), CertificateFault::Unreadable);
        let refused = read("", &key);
        assert_eq!(refused.unwrap_err(), CertificateFault::NoCertificate);
    }

    #[test]
    fn names_and_bounds_are_read() {
        let names = ["www.example.de", "Example.de", "example.de"].map(str::to_owned);
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(2026, 1, 2);
        params.not_after = date_time_ymd(2060, 3, 4);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().pem();
        let certificate = read(&certificate, &key).unwrap();
        assert_eq!(certificate.validity.start.to_string(), "2026-01-02T00:00:00Z");
        assert_eq!(certificate.validity.end.to_string(), "2060-03-04T00:00:00Z");
        assert!(certificate.is_for(["www.example.de", "example.de"]));
        assert!(!certificate.is_for(["example.de"]));
        assert!(!certificate.is_for(["example.de", "www.example.de", "a.example.de"]));
    }

    #[test]
    fn an_end_beyond_the_calendar_is_the_last_one() {
        let mut params = CertificateParams::new(vec!["www.example.de".to_owned()]).unwrap();
        params.not_after = date_time_ymd(9999, 12, 31);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().pem();
        let certificate = read(&certificate, &key).unwrap();
        assert_eq!(certificate.validity.end, Timestamp::MAX);
    }
}
