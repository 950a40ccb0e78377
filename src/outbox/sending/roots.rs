//! The trusted certificate authorities.

use std::sync::Arc;

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::error::SendError;

/// Returns these certificates, else those of the system (`SSL_CERT_FILE` and `SSL_CERT_DIR` are honoured). Those that
/// no connection could use are left out: a system may have some.
///
/// # Errors
/// When none is left, which only the operator can change: transient.
pub fn roots(own: Option<&[CertificateDer<'static>]>) -> Result<Vec<CertificateDer<'static>>, SendError> {
    let mut found = match own {
        Some(own) => own.to_vec(),
        None => rustls_native_certs::load_native_certs().certs,
    };
    let mut store = RootCertStore::empty();
    found.retain(|certificate| store.add(certificate.clone()).is_ok());
    if found.is_empty() {
        return Err(SendError::transient(match own {
            Some(_) => "ca_file holds no certificate that can be used",
            None => {
                "the system has no certificates of authorities; install ca-certificates, or set SSL_CERT_FILE"
            }
        }));
    }
    Ok(found)
}

/// Returns a TLS client configuration that trusts these certificates, else those of the system.
///
/// # Errors
/// When there are none.
pub fn tls_connector(own: Option<&[CertificateDer<'static>]>) -> Result<TlsConnector, SendError> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(roots(own)?);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| SendError::transient(format_args!("TLS cannot be set up: {error}")))?
        .with_root_certificates(store)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
