//! Where the server listens for TLS, and where its certificate comes from.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::ConfigError;
use super::acme::AcmeSettings;
use crate::base::text::origin::Origin;
use crate::config::args::ServeArgs;

/// The flags about TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSettings {
    /// Addresses to listen on. Empty when the service manager opens the sockets.
    pub listen: Vec<SocketAddr>,
    /// Where the certificate comes from.
    pub source: CertificateSource,
}

/// The files of `--tls-cert` and `--tls-key`. They may be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The chain in PEM, the server's own certificate first.
    pub certificate: PathBuf,
    /// The key in PEM.
    pub key: PathBuf,
}

/// Where a certificate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateSource {
    /// `--tls-cert` and `--tls-key`
    Files(CertificateFiles),
    /// `--acme`
    Acme(AcmeSettings),
}

impl TlsSettings {
    /// Returns what the flags ask for; `None` without TLS.
    ///
    /// # Errors
    /// When they contradict each other.
    pub(super) fn from_args(args: &ServeArgs) -> Result<Option<Self>, ConfigError> {
        let source = match (&args.tls_cert, &args.tls_key, AcmeSettings::from_args(args)) {
            (None, None, None) if args.tls_listen.is_empty() => return Ok(None),
            (Some(certificate), Some(key), None) => CertificateSource::Files(CertificateFiles {
                certificate: certificate.clone(),
                key: key.clone(),
            }),
            (None, None, Some(acme)) => CertificateSource::Acme(acme),
            (Some(_), Some(_), Some(_)) => {
                return Err(ConfigError::usage(
                    "--acme and --tls-cert exclude each other: remove one of them",
                ));
            }
            (None, None, None) => {
                return Err(ConfigError::usage(
                    "--tls-listen needs a certificate: add --tls-cert FILE and --tls-key FILE, or --acme DOMAIN",
                ));
            }
            _ => {
                return Err(ConfigError::usage(
                    "--tls-cert FILE and --tls-key FILE are needed together",
                ));
            }
        };
        Ok(Some(Self {
            listen: args.tls_listen.clone(),
            source,
        }))
    }

    /// Returns the path of the file with the key; `None` if the certificate is ordered.
    pub fn key_file(&self) -> Option<&Path> {
        match &self.source {
            CertificateSource::Files(files) => Some(&files.key),
            CertificateSource::Acme(_) => None,
        }
    }

    /// Returns the public address that follows from the certificate; `None` for one in files, which may have many names.
    pub fn origin(&self) -> Option<Origin> {
        match &self.source {
            CertificateSource::Files(_) => None,
            CertificateSource::Acme(acme) => {
                let domain = acme.domains.first()?;
                Origin::parse(&format!("https://{}", &**domain)).ok()
            }
        }
    }
}
