//! Where the server listens for TLS, and where its certificate comes from.

use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

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

/// Flags about TLS that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TlsUsage {
    /// There is no certificate.
    #[error("--tls-listen needs a certificate: add --tls-cert FILE and --tls-key FILE, or --acme DOMAIN")]
    NoCertificate,
    /// There are two sources of certificates.
    #[error("--acme and --tls-cert exclude each other: remove one of them")]
    TwoSources,
    /// Nothing listens for TLS.
    #[error("--acme needs --tls-listen ADDRESS, such as 0.0.0.0:443")]
    NothingListens,
    /// There is no place to keep a certificate.
    #[error(
        "--acme needs a data directory for its certificates, which --demo does not have: use --tls-cert and --tls-key"
    )]
    AcmeInDemo,
    /// Certificate and key are needed together.
    #[error("--tls-cert FILE and --tls-key FILE are needed together")]
    HalfPair,
}

impl TlsSettings {
    /// Returns what the flags ask for, if a server can start with them; `None` without TLS.
    ///
    /// # Errors
    /// When they contradict each other.
    pub fn from_args(args: &ServeArgs) -> Result<Option<Self>, TlsUsage> {
        let tls = Self::of(args)?;
        let is_acme = !args.acme.is_empty();
        if is_acme && args.demo {
            return Err(TlsUsage::AcmeInDemo);
        }
        if is_acme && args.tls_listen.is_empty() && !has_inherited_sockets() {
            return Err(TlsUsage::NothingListens);
        }
        Ok(tls)
    }

    /// Returns what the flags ask for, whatever else a server needs; `None` without TLS.
    ///
    /// # Errors
    /// When they contradict each other.
    pub(super) fn of(args: &ServeArgs) -> Result<Option<Self>, TlsUsage> {
        let files = match (&args.tls_cert, &args.tls_key) {
            (Some(certificate), Some(key)) => Some(CertificateFiles {
                certificate: certificate.clone(),
                key: key.clone(),
            }),
            (None, None) => None,
            _ => return Err(TlsUsage::HalfPair),
        };
        let acme = AcmeSettings::from_args(args);
        let source = match (files, acme) {
            (Some(_), Some(_)) => return Err(TlsUsage::TwoSources),
            (files, None) => files.map(CertificateSource::Files),
            (None, acme) => acme.map(CertificateSource::Acme),
        };
        match source {
            Some(source) => Ok(Some(Self {
                listen: args.tls_listen.clone(),
                source,
            })),
            None if args.tls_listen.is_empty() => Ok(None),
            None => Err(TlsUsage::NoCertificate),
        }
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

/// Whether the service manager has opened sockets: one of them may replace `--tls-listen`.
fn has_inherited_sockets() -> bool {
    env::var_os("LISTEN_FDS").is_some()
}
