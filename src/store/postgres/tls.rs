//! TLS to the database: what of its certificate is checked.

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

/// The protocol's name in a handshake that begins without PostgreSQL's question for TLS.
const PROTOCOL: &[u8] = b"postgresql";

/// Returns what makes handshakes. Its clones share sessions.
///
/// # Errors
/// When a file that the settings name cannot be used.
pub fn connector(settings: &DatabaseTls) -> Result<MakeRustlsConnect, OpenError> {
    let unusable = |error: &dyn Display| OpenError::Database(format!("cannot use TLS: {error}"));
    let provider = Arc::new(ring::default_provider());
    let checked = match settings.verification {
        Verification::Nothing => None,
        Verification::Authority | Verification::Full => {
            let roots = roots(settings.roots.as_deref())?;
            let mut store = RootCertStore::empty();
            // A system may have some that cannot be used.
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

/// Checks what `sslmode` asks for.
#[derive(Debug)]
struct Verifier {
    /// Whether the certificate must be for the host.
    is_full: bool,
    /// What checks that an authority issued it, and the authorities; `None` checks nothing.
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
        // A certificate that signed itself is its own authority. OpenSSL accepts it as such, and many servers have one.
        if roots.iter().any(|root| root == end_entity) {
            if self.is_full {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, name)?;
            }
            return Ok(ServerCertVerified::assertion());
        }
        match chains.verify_server_cert(end_entity, intermediates, name, &[], now) {
            // The name is checked only once the chain is valid.
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
