//! Answering a directory that checks a domain.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use instant_acme::ChallengeHandle;
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::sign::CertifiedKey;

use super::failure::AcmeFailure;
use super::kind::ChallengeKind;
use crate::server::tls::Resolver;
use crate::web::HttpChallenges;

/// Where challenges are answered.
#[derive(Debug, Clone)]
pub struct ChallengeAnswers {
    /// Of TLS listeners.
    pub resolver: Arc<Resolver>,
    /// Of plain listeners.
    pub http: HttpChallenges,
}

impl ChallengeAnswers {
    /// Answers a challenge until the result is dropped.
    ///
    /// # Errors
    /// When the certificate that answers cannot be made.
    pub fn give(&self, response: &Response) -> Result<ChallengeAnswer, AcmeFailure> {
        let Response { kind, name, text } = response;
        match kind {
            ChallengeKind::Http01 => self.http.set(name, text),
            ChallengeKind::TlsAlpn01 => {
                let digest = STANDARD.decode(text);
                let digest = digest.map_err(|_| AcmeFailure::Unusable("its challenge is damaged"))?;
                self.resolver.set_challenge(name, certificate(name, &digest)?);
            }
        }
        Ok(ChallengeAnswer {
            answers: self.clone(),
            kind: *kind,
            name: name.clone(),
        })
    }
}

/// How a challenge is answered, as instances tell each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Response {
    kind: ChallengeKind,
    /// The token of HTTP-01, the domain of TLS-ALPN-01.
    name: String,
    /// The content of the file, or the digest for the certificate in Base64.
    text: String,
}

impl Response {
    /// Returns the response to a challenge.
    pub fn to(kind: ChallengeKind, domain: &str, challenge: &ChallengeHandle<'_>) -> Self {
        let authorization = challenge.key_authorization();
        let (name, text) = match kind {
            ChallengeKind::Http01 => (challenge.token.clone(), authorization.as_str().to_owned()),
            ChallengeKind::TlsAlpn01 => (domain.to_owned(), STANDARD.encode(authorization.digest())),
        };
        Self { kind, name, text }
    }

    /// Reads what [`Self::token`] and [`Self::text`] say; `None` if they are malformed.
    pub fn read((token, text): (String, String)) -> Option<Self> {
        let (kind, name) = token.split_once(' ')?;
        let kind = [ChallengeKind::Http01, ChallengeKind::TlsAlpn01]
            .into_iter()
            .find(|known| known.to_string() == kind)?;
        let name = name.to_owned();
        Some(Self { kind, name, text })
    }

    /// Returns the name by which others find it.
    pub fn token(&self) -> String {
        format!("{} {}", self.kind, self.name)
    }

    /// Returns what is answered.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// One answer, given until it is dropped.
#[derive(Debug)]
pub struct ChallengeAnswer {
    answers: ChallengeAnswers,
    kind: ChallengeKind,
    name: String,
}

impl Drop for ChallengeAnswer {
    fn drop(&mut self) {
        match self.kind {
            ChallengeKind::Http01 => self.answers.http.remove(&self.name),
            ChallengeKind::TlsAlpn01 => self.answers.resolver.remove_challenge(&self.name),
        }
    }
}

/// Makes the certificate that answers a directory (RFC 8737). Its extension is critical, and only
/// directories know it, so it cannot be checked like others.
fn certificate(domain: &str, digest: &[u8]) -> Result<Arc<CertifiedKey>, AcmeFailure> {
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
