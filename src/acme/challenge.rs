//! How a directory that checks a name is answered.

use std::sync::Arc;

use instant_acme::{ChallengeHandle, KeyAuthorization};
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
