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

impl CertificateFiles {
    /// Reads both, and checks that they belong together. An expired certificate is no error.
    ///
    /// # Errors
    /// When one cannot be read, or holds something else, or they do not belong together.
    pub fn certificate(&self) -> Result<Certificate, FileFault> {
        let certificate = read("--tls-cert", &self.certificate)?;
        let key = read("--tls-key", &self.key)?;
        let wrong = |flag, path: &Path, expected| {
            let path = path.display();
            format!("{path} holds no {expected} in PEM; `{flag}` must name a file that does")
        };
        Certificate::from_pem(&certificate, &key).map_err(|fault| {
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
