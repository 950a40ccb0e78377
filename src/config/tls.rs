//! Where the server is reached by TLS, and where its certificate comes from.

use std::net::SocketAddr;

use crate::cli::ServeArgs;
use crate::tls::CertificateFiles;

/// The flags about TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSettings {
    /// Addresses to listen on. Empty when the service manager opens the sockets.
    pub listen: Vec<SocketAddr>,
    /// Where the certificate comes from.
    pub source: CertificateSource,
}

/// Where a certificate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateSource {
    /// `--tls-cert` and `--tls-key`
    Files(CertificateFiles),
}

/// Flags about TLS that make no sense together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TlsUsage {
    /// There is nothing to show to clients.
    #[error("--tls-listen needs a certificate: add --tls-cert FILE and --tls-key FILE")]
    NoCertificate,
    /// One file is of no use.
    #[error("--tls-cert FILE and --tls-key FILE are needed together")]
    HalfPair,
}

impl TlsSettings {
    /// Returns what the flags ask for; `None` without TLS.
    ///
    /// # Errors
    /// When they make no sense together.
    pub fn from_args(args: &ServeArgs) -> Result<Option<Self>, TlsUsage> {
        let files = match (&args.tls_cert, &args.tls_key) {
            (Some(certificate), Some(key)) => Some(CertificateFiles {
                certificate: certificate.clone(),
                key: key.clone(),
            }),
            (None, None) => None,
            _ => return Err(TlsUsage::HalfPair),
        };
        match files.map(CertificateSource::Files) {
            Some(source) => Ok(Some(Self {
                listen: args.tls_listen.clone(),
                source,
            })),
            None if args.tls_listen.is_empty() => Ok(None),
            None => Err(TlsUsage::NoCertificate),
        }
    }
}
