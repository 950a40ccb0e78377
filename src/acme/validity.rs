//! What a certificate says of itself: its names, and from when until when it is valid.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rustls_pki_types::{CertificateDer, UnixTime};
use tokio_rustls::rustls::crypto::ring;
use webpki::{EndEntityCert, Error, KeyUsage};

/// Past the year 9999, the last that a certificate can name.
const END_OF_TIME: Duration = Duration::from_hours(70_389_528);

/// For what a certificate stands, and how long.
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
    /// Reads a certificate; `None` if it makes no sense.
    pub fn of(certificate: &CertificateDer<'_>) -> Option<Self> {
        let certificate = EndEntityCert::try_from(certificate).ok()?;
        // The library tells the bounds only where it refuses a certificate for them, which it looks at first.
        let Some(Error::CertNotValidYet { not_before, .. }) = refusal(&certificate, Duration::ZERO) else {
            return None;
        };
        let Some(Error::CertExpired { not_after, .. }) = refusal(&certificate, END_OF_TIME) else {
            return None;
        };
        let mut names: Vec<String> = certificate
            .valid_dns_names()
            .map(str::to_ascii_lowercase)
            .collect();
        names.sort();
        names.dedup();
        Some(Self {
            names,
            not_before: timestamp(not_before)?,
            not_after: timestamp(not_after)?,
        })
    }

    /// Returns whether it stands for exactly these names, which are in lower case.
    pub fn is_for<'a>(&self, names: impl Iterator<Item = &'a str>) -> bool {
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        self.names == names
    }
}

fn refusal(certificate: &EndEntityCert<'_>, at: Duration) -> Option<Error> {
    let algorithms = ring::default_provider().signature_verification_algorithms.all;
    let at = UnixTime::since_unix_epoch(at);
    let usage = KeyUsage::server_auth();
    certificate
        .verify_for_usage(algorithms, &[], &[], at, usage, None, None)
        .err()
}

fn timestamp(time: UnixTime) -> Option<Timestamp> {
    let since_epoch = i64::try_from(time.as_secs()).ok()?;
    Timestamp::UNIX_EPOCH
        .checked_add(SignedDuration::from_secs(since_epoch))
        .ok()
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
