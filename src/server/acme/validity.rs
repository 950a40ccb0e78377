//! What a certificate says of itself: its names, and from when until when it is valid.

use jiff::Timestamp;
use rustls_pki_types::CertificateDer;
use webpki::EndEntityCert;
use x509_cert::Certificate;
use x509_cert::der::Decode;

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
        let period = Certificate::from_der(certificate).ok()?.tbs_certificate.validity;
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
