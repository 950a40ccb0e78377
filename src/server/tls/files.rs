//! A certificate and its key in two files, as certbot, acme.sh and companies' authorities write them.

use std::path::Path;

use super::certificate::{Certificate, CertificateFault};
use crate::base::files::regular_file;
use crate::config::CertificateFiles;

/// The longest file that is read, in bytes. A chain of four certificates has 8 KiB; anything longer is another file.
const MAX_LENGTH: u64 = 256 * 1024;

/// Why the files cannot be used; one line that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FileFault(String);

/// What the files hold at one time.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl CertificateFiles {
    /// Reads both, and checks that they belong together. An expired certificate is no error.
    ///
    /// # Errors
    /// When one cannot be read, or holds something else, or they do not belong together.
    pub fn certificate(&self) -> Result<Certificate, FileFault> {
        self.parse(&self.read()?)
    }

    pub(super) fn read(&self) -> Result<Contents, FileFault> {
        Ok(Contents {
            certificate: read("--tls-cert", &self.certificate)?,
            key: read("--tls-key", &self.key)?,
        })
    }

    pub(super) fn parse(&self, contents: &Contents) -> Result<Certificate, FileFault> {
        let wrong = |flag, path: &Path, expected| {
            let path = path.display();
            format!("{path} holds no {expected} in PEM; `{flag}` must name a file that does")
        };
        let parsed = Certificate::from_pem(&contents.certificate, &contents.key);
        parsed.map_err(|fault| {
            FileFault(match fault {
                CertificateFault::NoCertificate => wrong("--tls-cert", &self.certificate, "certificate"),
                CertificateFault::NoKey => wrong("--tls-key", &self.key, "private key without a password"),
                fault => {
                    let (certificate, key) = (self.certificate.display(), self.key.display());
                    format!("cannot use {certificate} with {key}: {fault}")
                }
            })
        })
    }
}

fn read(flag: &str, path: &Path) -> Result<Vec<u8>, FileFault> {
    regular_file::read(path, MAX_LENGTH).map_err(|error| {
        let path = path.display();
        FileFault(format!(
            "cannot read {path}: {error}; `{flag}` must name a file that the server's user can read"
        ))
    })
}
