//! `--acme` and what belongs to it: certificates that the server orders itself.

use std::path::PathBuf;

use rustls_pki_types::CertificateDer;

use crate::base::files::regular_file;
use crate::base::text::mail_address::Address;
use crate::config::args::{Domain, ServeArgs};

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
