//! How a directory that checks a name is answered.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use instant_acme::ChallengeHandle;
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::sign::CertifiedKey;

use super::failure::Failure;
use super::http_challenges::HttpChallenges;
use super::kind::Kind;
use crate::tls::Resolver;

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
                let key = certificate(domain, authorization.digest().as_ref())?;
                self.resolver.set_challenge(domain, key);
                domain.to_owned()
            }
        };
        Ok(Answer {
            answers: self.clone(),
            kind,
            key,
        })
    }

    /// Answers what another instance has published, until the result is dropped.
    ///
    /// # Errors
    /// When the certificate that answers cannot be made.
    pub fn repeat(&self, published: &Published) -> Result<Answer, Failure> {
        let Published { kind, name, response } = published;
        match kind {
            Kind::Http01 => self.http.set(name, response),
            Kind::TlsAlpn01 => {
                let digest = STANDARD.decode(response);
                let digest = digest.map_err(|_| Failure::Unusable("its challenge is damaged"))?;
                self.resolver.set_challenge(name, certificate(name, &digest)?);
            }
        }
        Ok(Answer {
            answers: self.clone(),
            kind: *kind,
            key: name.clone(),
        })
    }
}

/// An answer for other instances.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Published {
    kind: Kind,
    /// The token of HTTP-01, the domain of TLS-ALPN-01.
    name: String,
    response: String,
}

impl Published {
    /// Describes how a challenge is answered.
    pub fn of(kind: Kind, domain: &str, challenge: &ChallengeHandle<'_>) -> Self {
        let authorization = challenge.key_authorization();
        let (name, response) = match kind {
            Kind::Http01 => (challenge.token.clone(), authorization.as_str().to_owned()),
            Kind::TlsAlpn01 => (domain.to_owned(), STANDARD.encode(authorization.digest())),
        };
        Self { kind, name, response }
    }

    /// Reads what [`Self::token`] and its response say; `None` if that makes no sense.
    pub fn read((token, response): (String, String)) -> Option<Self> {
        let (kind, name) = token.split_once(' ')?;
        let kind = [Kind::Http01, Kind::TlsAlpn01]
            .into_iter()
            .find(|known| known.to_string() == kind)?;
        Some(Self {
            kind,
            name: name.to_owned(),
            response,
        })
    }

    /// Returns the name by which others find it.
    pub fn token(&self) -> String {
        format!("{} {}", self.kind, self.name)
    }

    /// Returns what is answered.
    pub fn response(&self) -> &str {
        &self.response
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
fn certificate(domain: &str, digest: &[u8]) -> Result<Arc<CertifiedKey>, Failure> {
    let mut params = CertificateParams::new([domain.to_owned()])?;
    params.distinguished_name = DistinguishedName::new();
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
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
