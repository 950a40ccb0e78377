//! The certificate authorities whose word counts.

use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

use super::error::SendError;

/// Returns the certificates of a PEM file, else those of the system (`SSL_CERT_FILE` and `SSL_CERT_DIR` are honoured). Those
/// that no connection could use are left out: a system may have some.
///
/// # Errors
/// When none is left, which only the operator can change: transient.
pub fn roots(pem: Option<&[u8]>) -> Result<Vec<CertificateDer<'static>>, SendError> {
    let mut found: Vec<_> = match pem {
        Some(pem) => CertificateDer::pem_slice_iter(pem)
            .filter_map(Result::ok)
            .collect(),
        None => rustls_native_certs::load_native_certs().certs,
    };
    let mut store = RootCertStore::empty();
    found.retain(|certificate| store.add(certificate.clone()).is_ok());
    if found.is_empty() {
        return Err(SendError::transient(match pem {
            Some(_) => "ca_file holds no certificate of an authority",
            None => {
                "the system has no certificates of authorities; install ca-certificates, or set SSL_CERT_FILE"
            }
        }));
    }
    Ok(found)
}
