//! Where the certificate of the server comes from.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::base::text::origin::Origin;
use crate::config::args::{AcmeSettings, ServeArgs};

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

impl CertificateSource {
    /// Returns what the flags ask for; `None` without TLS.
    ///
    /// # Errors
    /// When they contradict each other.
    pub(super) fn from_args(args: &ServeArgs) -> Result<Option<Self>, String> {
        match (&args.tls_cert, &args.tls_key, args.acme.domains.is_empty()) {
            (None, None, true) if args.tls_listen.is_empty() => Ok(None),
            (Some(certificate), Some(key), true) => Ok(Some(Self::Files(CertificateFiles {
                certificate: certificate.clone(),
                key: key.clone(),
            }))),
            (None, None, false) => {
                let (mut acme, mut known) = (args.acme.clone(), HashSet::new());
                acme.domains.retain(|domain| known.insert(domain.clone()));
                Ok(Some(Self::Acme(acme)))
            }
            (Some(_), Some(_), false) => {
                Err("--acme and --tls-cert exclude each other: remove one of them".to_owned())
            }
            (None, None, true) => Err(
                "--tls-listen needs a certificate: add --tls-cert FILE and --tls-key FILE, or --acme DOMAIN"
                    .to_owned(),
            ),
            _ => Err("--tls-cert FILE and --tls-key FILE are needed together".to_owned()),
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
