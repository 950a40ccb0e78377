//! TLS to the database, and the verification of its certificate.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use super::settings::{DatabaseTls, Verification};
use crate::base::files::regular_file;
use crate::store::OpenError;

/// The ALPN name of PostgreSQL, for handshakes without `SSLRequest`.
const PROTOCOL: &[u8] = b"postgresql";

/// Returns the TLS connector. Its clones share sessions.
///
/// # Errors
/// When a file named in the settings cannot be used.
pub fn connector(settings: &DatabaseTls) -> Result<MakeRustlsConnect, OpenError> {
    let unusable = |error: &dyn Display| OpenError::Database(format!("cannot use TLS: {error}"));
    let provider = Arc::new(ring::default_provider());
    let checked = match settings.verification {
        Verification::Nothing => None,
        Verification::Authority | Verification::Full => {
            let roots = roots(settings.roots.as_deref())?;
            let mut store = RootCertStore::empty();
            // The system's store may contain unusable ones.
            store.add_parsable_certificates(roots.iter().cloned());
            let chains =
                WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(&provider)).build();
            Some((chains.map_err(|error| unusable(&error))?, roots))
        }
    };
    let verifier = Verifier {
        is_full: settings.verification == Verification::Full,
        checked,
        provider: Arc::clone(&provider),
    };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    if settings.is_direct {
        config.alpn_protocols = [PROTOCOL.to_vec()].into();
    }
    Ok(MakeRustlsConnect::new(config))
}

fn roots(file: Option<&Path>) -> Result<Vec<CertificateDer<'static>>, OpenError> {
    let Some(path) = file else {
        let found = rustls_native_certs::load_native_certs().certs;
        let none =
            "the system has no certificates of authorities; install ca-certificates, or give `sslrootcert`";
        return if found.is_empty() {
            Err(OpenError::Database(none.to_owned()))
        } else {
            Ok(found)
        };
    };
    regular_file::read_authorities(path).map_err(|error| {
        let path = path.display();
        OpenError::Database(format!("cannot read `sslrootcert` {path}: {error}"))
    })
}

/// Verifies certificates as `sslmode` demands.
#[derive(Debug)]
struct Verifier {
    /// Whether the certificate must be valid for the host.
    is_full: bool,
    /// The verifier of the chain with its trusted authorities; `None` to accept any.
    checked: Option<(Arc<WebPkiServerVerifier>, Vec<CertificateDer<'static>>)>,
    provider: Arc<CryptoProvider>,
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
        let Some((chains, roots)) = &self.checked else {
            return Ok(ServerCertVerified::assertion());
        };
        // A self-signed certificate is its own authority. OpenSSL accepts that, and many servers use one.
        if roots.iter().any(|root| root == end_entity) {
            if self.is_full {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, name)?;
            }
            return Ok(ServerCertVerified::assertion());
        }
        match chains.verify_server_cert(end_entity, intermediates, name, &[], now) {
            // The name is checked only after the chain was valid.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.is_full => Ok(ServerCertVerified::assertion()),
            checked => checked,
        }
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
