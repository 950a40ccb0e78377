//! The source of the server's certificate.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::base::text::origin::Origin;
use crate::config::args::{AcmeSettings, ServeArgs};

/// The files of `--tls-cert` and `--tls-key`, which may be the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate chain in PEM, the server's own certificate first.
    pub certificate: PathBuf,
    /// The private key in PEM.
    pub key: PathBuf,
}

/// The source of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateSource {
    /// `--tls-cert` and `--tls-key`: files that the operator provides.
    Files(CertificateFiles),
    /// `--acme`: ordered by the server.
    Acme(AcmeSettings),
}

impl CertificateSource {
    /// The source that the flags select; `None` without TLS.
    ///
    /// # Errors
    /// When the flags contradict each other.
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

    /// The public origin implied by the certificate; `None` for one from files, which may have many names.
    pub(super) fn origin(&self) -> Option<Origin> {
        match self {
            Self::Files(_) => None,
            Self::Acme(acme) => {
                let domain = acme.domains.first()?;
                Origin::parse(&format!("https://{domain}")).ok()
            }
        }
    }
}
