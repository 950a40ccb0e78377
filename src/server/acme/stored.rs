//! The certificate as it is kept: its key, itself and its chain, in PEM.

use jiff::Timestamp;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use webpki::EndEntityCert;
use x509_cert::der::Decode;

use super::failure::AcmeFailure;
use crate::base::text::acme_flags::Domain;
use crate::server::tls::Certificate;

/// A certificate that can be served.
#[derive(Debug, Clone)]
pub struct StoredCertificate {
    /// For the handshake.
    pub certificate: Certificate,
    /// What it says of itself.
    pub validity: Validity,
}

impl StoredCertificate {
    /// Reads what [`pem`] wrote.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn parse(pem: &[u8]) -> Result<Self, AcmeFailure> {
        let key = PrivateKeyDer::from_pem_slice(pem).map_err(|_| AcmeFailure::Unusable("there is no key"))?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let chain = chain.map_err(|_| AcmeFailure::Unusable("it is not in PEM"))?;
        let validity = chain.first().and_then(Validity::of);
        let validity = validity.ok_or(AcmeFailure::Unusable("it cannot be read"))?;
        Ok(Self {
            certificate: Certificate::new(chain, key)?,
            validity,
        })
    }

    /// Reads a new certificate, which must be valid now and be for all these domains.
    ///
    /// # Errors
    /// When it is not what was ordered.
    pub fn parse_new(pem: &[u8], domains: &[Domain], now: Timestamp) -> Result<Self, AcmeFailure> {
        let stored = Self::parse(pem)?;
        if stored.validity.not_after <= now {
            return Err(AcmeFailure::Unusable("it has expired"));
        }
        if !stored.is_for(domains) {
            return Err(AcmeFailure::Unusable("it is for other domains"));
        }
        Ok(stored)
    }

    /// Reads what another instance has kept, if it can be served instead of this instance's own: a configuration with other domains
    /// is rolled out to one instance after the other, and meanwhile each serves its own.
    pub fn parse_shared(pem: &[u8], domains: &[Domain]) -> Option<Self> {
        let stored = Self::parse(pem).ok()?;
        let is_good = stored.is_for(domains) && !stored.certificate.has_expired();
        is_good.then_some(stored)
    }

    /// Returns whether it is for exactly these domains.
    pub fn is_for(&self, domains: &[Domain]) -> bool {
        self.validity.is_for(domains.iter().map(|domain| &**domain))
    }
}

/// Puts a key and a chain together, so that one step replaces both.
pub fn pem(key: &str, chain: &str) -> Vec<u8> {
    format!("{}\n{}\n", key.trim_end(), chain.trim_end()).into_bytes()
}

/// Names and validity period of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validity {
    /// Its host names in lower case, sorted.
    pub names: Vec<String>,
    /// From when it is valid.
    pub not_before: Timestamp,
    /// Until when.
    pub not_after: Timestamp,
}

impl Validity {
    /// Reads a certificate; `None` if it cannot be read.
    pub fn of(certificate: &CertificateDer<'_>) -> Option<Self> {
        let period = x509_cert::Certificate::from_der(certificate)
            .ok()?
            .tbs_certificate
            .validity;
        let certificate = EndEntityCert::try_from(certificate).ok()?;
        let mut names: Vec<String> = certificate
            .valid_dns_names()
            .map(str::to_ascii_lowercase)
            .collect();
        names.sort();
        names.dedup();
        Some(Self {
            names,
            not_before: period.not_before.to_system_time().try_into().ok()?,
            not_after: period.not_after.to_system_time().try_into().ok()?,
        })
    }

    /// Returns whether it is for exactly these names, which are in lower case.
    pub fn is_for<'a>(&self, names: impl Iterator<Item = &'a str>) -> bool {
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        self.names == names
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    fn kept(end: i32) -> Vec<u8> {
        let mut params = CertificateParams::new(["a.example".to_owned(), "b.example".to_owned()]).unwrap();
        params.not_after = date_time_ymd(end, 1, 1);
        let key = KeyPair::generate().unwrap();
        pem(&key.serialize_pem(), &params.self_signed(&key).unwrap().pem())
    }

    fn domains(names: &[&str]) -> Vec<Domain> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let stored = StoredCertificate::parse(&kept(2040)).unwrap();
        assert_eq!(stored.validity.not_after.to_string(), "2040-01-01T00:00:00Z");
        assert!(stored.is_for(&domains(&["b.example", "a.example"])));
        assert!(!stored.is_for(&domains(&["a.example"])));
        assert!(!stored.is_for(&domains(&["a.example", "b.example", "c.example"])));
    }

    #[test]
    fn what_others_keep_is_served_for_the_same_domains_alone() {
        let both = domains(&["a.example", "b.example"]);
        assert!(StoredCertificate::parse_shared(&kept(2040), &both).is_some());
        assert!(StoredCertificate::parse_shared(&kept(2001), &both).is_none());
        assert!(StoredCertificate::parse_shared(b"nonsense", &both).is_none());
        for other in [&["a.example"][..], &["a.example", "b.example", "c.example"]] {
            assert!(StoredCertificate::parse_shared(&kept(2040), &domains(other)).is_none());
        }
    }

    #[test]
    fn damage_is_noticed() {
        let whole = kept(2040);
        for damaged in [&b""[..], b"nonsense", &whole[..whole.len() / 2], &whole[300..]] {
            assert!(StoredCertificate::parse(damaged).is_err());
        }
    }

    #[test]
    fn a_new_certificate_must_be_what_was_ordered() {
        let now: Timestamp = "2030-01-01T00:00:00Z".parse().unwrap();
        let both = domains(&["a.example", "b.example"]);
        assert!(StoredCertificate::parse_new(&kept(2040), &both, now).is_ok());
        for (pem, ordered, expected) in [
            (kept(2029), &both[..], "it has expired"),
            (kept(2040), &both[..1], "it is for other domains"),
        ] {
            let error = StoredCertificate::parse_new(&pem, ordered, now)
                .unwrap_err()
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn names_and_bounds_are_read() {
        let names = ["www.example.de", "Example.de", "example.de"].map(str::to_owned);
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(2026, 1, 2);
        params.not_after = date_time_ymd(2060, 3, 4);
        let certificate = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
        let validity = Validity::of(certificate.der()).unwrap();
        assert_eq!(validity.names, ["example.de", "www.example.de"]);
        assert_eq!(validity.not_before.to_string(), "2026-01-02T00:00:00Z");
        assert_eq!(validity.not_after.to_string(), "2060-03-04T00:00:00Z");
        assert!(validity.is_for(["www.example.de", "example.de"].into_iter()));
        assert!(!validity.is_for(["example.de"].into_iter()));
        assert!(!validity.is_for(["example.de", "www.example.de", "a.example.de"].into_iter()));
    }

    #[test]
    fn nonsense_is_none() {
        assert_eq!(Validity::of(&CertificateDer::from(b"nonsense".to_vec())), None);
    }
}
