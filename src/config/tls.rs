//! Where the certificate of the server comes from.

use std::path::{Path, PathBuf};

use rustls_pki_types::CertificateDer;

use crate::base::files::regular_file;
use crate::base::text::mail_address::Address;
use crate::base::text::origin::Origin;
use crate::config::args::{Domain, ServeArgs};

/// The files of `--tls-cert` and `--tls-key`. They may be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The chain in PEM, the server's own certificate first.
    pub certificate: PathBuf,
    /// The key in PEM.
    pub key: PathBuf,
}

/// How the server orders its certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcmeSettings {
    /// The names that the certificate is for: at least one, without duplicates.
    pub domains: Vec<Domain>,
    /// Where the directory writes to when something is wrong.
    pub contact: Option<Address>,
    /// The address of the directory.
    pub directory: String,
    /// Holds the only roots that the directory's own certificate may lead to; absent: the system's.
    pub roots_file: Option<PathBuf>,
}

impl AcmeSettings {
    /// Takes the flags together; `None` without `--acme`.
    pub fn from_args(args: &ServeArgs) -> Option<Self> {
        let mut domains: Vec<Domain> = Vec::new();
        for domain in &args.acme {
            if !domains.contains(domain) {
                domains.push(domain.clone());
            }
        }
        (!domains.is_empty()).then(|| Self {
            domains,
            contact: args.acme_contact.clone(),
            directory: args.acme_directory.clone(),
            roots_file: args.acme_ca.clone(),
        })
    }

    /// Reads the roots of the directory; `None`: the system's.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn roots(&self) -> Result<Option<Vec<CertificateDer<'static>>>, String> {
        let read = |path: &PathBuf| {
            regular_file::read_authorities(path).map_err(|error| {
                let path = path.display();
                format!("cannot use {path}: {error}; give the directory's root in PEM with --acme-ca")
            })
        };
        self.roots_file.as_ref().map(read).transpose()
    }
}

/// Where a certificate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateSource {
    /// `--tls-cert` and `--tls-key`
    Files(CertificateFiles),
    /// `--acme`
    Acme(AcmeSettings),
}

impl CertificateSource {
    /// Returns what the flags ask for; `None` without TLS.
    ///
    /// # Errors
    /// When they contradict each other.
    pub(super) fn from_args(args: &ServeArgs) -> Result<Option<Self>, String> {
        match (&args.tls_cert, &args.tls_key, AcmeSettings::from_args(args)) {
            (None, None, None) if args.tls_listen.is_empty() => Ok(None),
            (Some(certificate), Some(key), None) => Ok(Some(Self::Files(CertificateFiles {
                certificate: certificate.clone(),
                key: key.clone(),
            }))),
            (None, None, Some(acme)) => Ok(Some(Self::Acme(acme))),
            (Some(_), Some(_), Some(_)) => {
                Err("--acme and --tls-cert exclude each other: remove one of them".to_owned())
            }
            (None, None, None) => Err(
                "--tls-listen needs a certificate: add --tls-cert FILE and --tls-key FILE, or --acme DOMAIN"
                    .to_owned(),
            ),
            _ => Err("--tls-cert FILE and --tls-key FILE are needed together".to_owned()),
        }
    }

    /// Returns the path of the file with the key; `None` if the certificate is ordered.
    pub fn key_file(&self) -> Option<&Path> {
        match self {
            Self::Files(files) => Some(&files.key),
            Self::Acme(_) => None,
        }
    }

    /// Returns the public address that follows from the certificate; `None` for one in files, which may have many names.
    pub(super) fn origin(&self) -> Option<Origin> {
        match self {
            Self::Files(_) => None,
            Self::Acme(acme) => {
                let domain = acme.domains.first()?;
                Origin::parse(&format!("https://{}", &**domain)).ok()
            }
        }
    }
}
