//! `--acme` and what belongs to it: certificates that the server orders itself.

use std::path::{Path, PathBuf};

use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use crate::base::files::regular_file;
use crate::base::text::acme_flags::{Contact, DirectoryUrl, Domain};
use crate::config::args::ServeArgs;

/// How the server orders its certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcmeSettings {
    /// The names that the certificate is for: at least one, without duplicates.
    pub domains: Vec<Domain>,
    /// Where the directory writes to when something is wrong.
    pub contact: Option<Contact>,
    /// The address of the directory.
    pub directory: DirectoryUrl,
    /// Holds the only roots that the directory's own certificate may lead to; absent: the system's.
    pub roots_file: Option<PathBuf>,
}

/// Why `--acme-ca` cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {path}: {reason}; give the directory's root in PEM with --acme-ca", path = path.display())]
pub struct AcmeRootsError {
    path: PathBuf,
    reason: String,
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
    pub fn roots(&self) -> Result<Option<Vec<CertificateDer<'static>>>, AcmeRootsError> {
        self.roots_file.as_deref().map(read_roots).transpose()
    }
}

fn read_roots(path: &Path) -> Result<Vec<CertificateDer<'static>>, AcmeRootsError> {
    let unusable = |reason: String| AcmeRootsError {
        path: path.to_owned(),
        reason,
    };
    let text =
        regular_file::read(path, regular_file::AUTHORITIES).map_err(|error| unusable(error.to_string()))?;
    let roots: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match roots {
        Ok(roots) if !roots.is_empty() => Ok(roots),
        _ => Err(unusable("it holds no certificate in PEM".to_owned())),
    }
}
