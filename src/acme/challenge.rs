//! How a directory checks that a name leads here, and how it is answered.

use std::fmt;
use std::sync::Arc;

use instant_acme::{ChallengeHandle, ChallengeType, KeyAuthorization};
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde::{Deserialize, Serialize};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::sign::CertifiedKey;

use super::failure::Failure;
use super::http_challenges::HttpChallenges;
use crate::tls::Resolver;

/// A kind of challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A request for a file, on port 80.
    #[serde(rename = "http-01")]
    Http01,
    /// A TLS handshake, on port 443.
    #[serde(rename = "tls-alpn-01")]
    TlsAlpn01,
}

impl Kind {
    /// Returns the kinds in the order in which they are tried. `plain_ports` are those of the plain listeners.
    pub fn in_order(plain_ports: &[u16], worked: Option<Self>) -> Vec<Self> {
        let mut kinds = match plain_ports {
            [] => vec![Self::TlsAlpn01],
            // It gets through whatever stands between the directory and here.
            ports if ports.contains(&80) => vec![Self::Http01, Self::TlsAlpn01],
            // Something else may forward port 80 to one of them.
            _ => vec![Self::TlsAlpn01, Self::Http01],
        };
        kinds.sort_by_key(|&kind| Some(kind) != worked);
        kinds
    }

    /// Returns the name that the library has for it.
    pub fn library_name(self) -> ChallengeType {
        match self {
            Self::Http01 => ChallengeType::Http01,
            Self::TlsAlpn01 => ChallengeType::TlsAlpn01,
        }
    }

    /// Says what a check of this kind needs.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Http01 => "the domain must lead to this machine, and its port 80 to a plain listener",
            Self::TlsAlpn01 => {
                "the domain must lead to this machine, and its port 443 to --tls-listen, with no TLS proxy in between"
            }
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Http01 => "HTTP-01",
            Self::TlsAlpn01 => "TLS-ALPN-01",
        })
    }
}

/// Where challenges are answered.
#[derive(Debug, Clone)]
pub struct Answers {
    /// Of TLS listeners.
    pub resolver: Arc<Resolver>,
    /// Of plain listeners.
    pub http: HttpChallenges,
}

impl Answers {
    /// Answers a challenge until the result is dropped.
    ///
    /// # Errors
    /// When the certificate that answers cannot be made.
    pub fn set(&self, kind: Kind, domain: &str, challenge: &ChallengeHandle<'_>) -> Result<Answer, Failure> {
        let authorization = challenge.key_authorization();
        let key = match kind {
            Kind::Http01 => {
                self.http.set(&challenge.token, authorization.as_str());
                challenge.token.clone()
            }
            Kind::TlsAlpn01 => {
                self.resolver
                    .set_challenge(domain, certificate(domain, &authorization)?);
                domain.to_owned()
            }
        };
        Ok(Answer {
            answers: self.clone(),
            kind,
            key,
        })
    }
}

/// One answer. Dropped, it is given no more.
#[derive(Debug)]
pub struct Answer {
    answers: Answers,
    kind: Kind,
    key: String,
}

impl Drop for Answer {
    fn drop(&mut self) {
        match self.kind {
            Kind::Http01 => self.answers.http.remove(&self.key),
            Kind::TlsAlpn01 => self.answers.resolver.remove_challenge(&self.key),
        }
    }
}

/// Makes the certificate that answers a directory (RFC 8737). Its extension is critical and nobody but a directory knows
/// it, so it cannot be checked as others are.
fn certificate(domain: &str, authorization: &KeyAuthorization) -> Result<Arc<CertifiedKey>, Failure> {
    let mut params = CertificateParams::new([domain.to_owned()])?;
    params.distinguished_name = DistinguishedName::new();
    let digest = authorization.digest();
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest.as_ref())];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = ring::default_provider();
    let loaded = provider.key_provider.load_private_key(der);
    let loaded = loaded.map_err(|_| rcgen::Error::KeyGenerationUnavailable)?;
    Ok(Arc::new(CertifiedKey::new(
        vec![certificate.der().clone()],
        loaded,
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::{Http01, TlsAlpn01};

    #[test]
    fn kinds_are_tried_where_they_can_succeed_and_what_worked_first() {
        for (ports, worked, expected) in [
            (&[][..], None, &[TlsAlpn01][..]),
            (&[], Some(Http01), &[TlsAlpn01]),
            (&[80], None, &[Http01, TlsAlpn01]),
            (&[8080, 80], None, &[Http01, TlsAlpn01]),
            (&[80], Some(TlsAlpn01), &[TlsAlpn01, Http01]),
            (&[8080], None, &[TlsAlpn01, Http01]),
            (&[8080], Some(Http01), &[Http01, TlsAlpn01]),
        ] {
            assert_eq!(Kind::in_order(ports, worked), expected, "{ports:?} {worked:?}");
        }
    }
}
