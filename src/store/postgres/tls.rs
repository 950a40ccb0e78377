//! TLS to the database: what of its certificate is checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::{VerifierBuilderError, WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use super::settings::{Roots, TlsSettings, Verification};
use crate::files::regular_file;

/// The protocol's name in a handshake that begins without PostgreSQL's question for TLS.
const PROTOCOL: &[u8] = b"postgresql";

/// Why TLS cannot be used, in one line.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum TlsError {
    #[error("cannot read `sslrootcert` {path}: {source}", path = path.display())]
    File { path: PathBuf, source: pem::Error },
    #[error("`sslrootcert` {} holds no certificate that can be used", .0.display())]
    NoRoots(PathBuf),
    #[error("the system has no certificates of authorities; install ca-certificates, or give `sslrootcert`")]
    NoSystemRoots,
    #[error("cannot use TLS: {0}")]
    Library(#[from] Error),
    #[error("cannot use TLS: {0}")]
    Verifier(#[from] VerifierBuilderError),
}

/// Returns what makes handshakes. Its clones share sessions.
///
/// # Errors
/// When a file that the settings name cannot be used.
pub fn connector(settings: &TlsSettings) -> Result<MakeRustlsConnect, TlsError> {
    let provider = Arc::new(ring::default_provider());
    let roots = match settings.verification {
        Verification::Nothing => Vec::new(),
        Verification::Authority | Verification::Full => roots(&settings.roots)?,
    };
    let verifier = Verifier {
        verification: settings.verification,
        inner: match settings.verification {
            Verification::Nothing => None,
            Verification::Authority | Verification::Full => Some(chains(&roots, &provider)?),
        },
        roots,
        provider: Arc::clone(&provider),
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    let mut config = builder.with_no_client_auth();
    if settings.is_direct {
        config.alpn_protocols = [PROTOCOL.to_vec()].into();
    }
    Ok(MakeRustlsConnect::new(config))
}

fn roots(roots: &Roots) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    match roots {
        Roots::System => match rustls_native_certs::load_native_certs().certs {
            none if none.is_empty() => Err(TlsError::NoSystemRoots),
            found => Ok(found),
        },
        Roots::File(path) => match certificates(path)? {
            none if none.is_empty() => Err(TlsError::NoRoots(path.clone())),
            found => Ok(found),
        },
    }
}

fn chains(
    roots: &[CertificateDer<'static>],
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, TlsError> {
    let mut store = RootCertStore::empty();
    // A system may have some that cannot be used.
    store.add_parsable_certificates(roots.iter().cloned());
    let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider));
    Ok(builder.build()?)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = regular_file::read(path, regular_file::AUTHORITIES)
        .map_err(pem::Error::Io)
        .and_then(|text| CertificateDer::pem_slice_iter(&text).collect());
    read.map_err(|source| TlsError::File {
        path: path.to_owned(),
        source,
    })
}

/// Checks what `sslmode` asks for.
#[derive(Debug)]
struct Verifier {
    verification: Verification,
    inner: Option<Arc<WebPkiServerVerifier>>,
    roots: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl Verifier {
    fn check(
        &self,
        verifier: &WebPkiServerVerifier,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        now: UnixTime,
    ) -> Result<(), Error> {
        let is_full = self.verification == Verification::Full;
        // A certificate that signed itself is its own authority. OpenSSL accepts it as such, and many servers have one.
        if self.roots.iter().any(|root| root == end_entity) {
            return if is_full {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, name)
            } else {
                Ok(())
            };
        }
        match verifier.verify_server_cert(end_entity, intermediates, name, &[], now) {
            Ok(_) => Ok(()),
            // The name is checked only once the chain is valid.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !is_full => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(inner) = &self.inner {
            self.check(inner, end_entity, intermediates, name, now)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
