//! A certificate and its key in two files, as certbot, acme.sh and companies' authorities write them.

use std::io;
use std::path::{Path, PathBuf};

use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha256};

use super::certificate::{Certificate, CertificateFault};
use crate::base::files::regular_file;
use crate::config::CertificateFiles;

/// The longest file that is read, in bytes. A chain of four certificates has 8 KiB; anything longer is another file.
const MAX_LENGTH: u64 = 256 * 1024;

/// What tells two states of the files apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFingerprint([u8; 32]);

/// Why the files cannot be used; one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// A file cannot be read.
    #[error("cannot read {}: {source}; `{flag}` must name a file that the server's user can read", path.display())]
    Unreadable {
        /// The flag that names it.
        flag: &'static str,
        /// Its path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file does not hold what it must.
    #[error("{} holds no {expected} in PEM; `{flag}` must name a file that does", path.display())]
    Wrong {
        /// The flag that names it.
        flag: &'static str,
        /// Its path.
        path: PathBuf,
        /// What it must hold.
        expected: &'static str,
    },
    /// The two cannot be used together.
    #[error("cannot use {} with {}: {fault}", certificate.display(), key.display())]
    Unusable {
        /// The path of the certificate.
        certificate: PathBuf,
        /// The path of the key.
        key: PathBuf,
        /// Why.
        fault: CertificateFault,
    },
}

/// The contents of the files at one time.
#[derive(Debug)]
pub struct Contents<'a> {
    files: &'a CertificateFiles,
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl CertificateFiles {
    /// Reads both.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn read(&self) -> Result<Contents<'_>, FileFault> {
        Ok(Contents {
            files: self,
            certificate: read("--tls-cert", &self.certificate)?,
            key: read("--tls-key", &self.key)?,
        })
    }
}

impl Contents<'_> {
    /// Returns what changes with the contents.
    pub fn fingerprint(&self) -> FileFingerprint {
        let mut digest = Sha256::new();
        for part in [&self.certificate, &self.key] {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        FileFingerprint(digest.finalize().into())
    }

    /// Checks that they belong together. An expired certificate is no error.
    ///
    /// # Errors
    /// When they hold something else, or do not belong together.
    pub fn certificate(&self) -> Result<Certificate, FileFault> {
        let CertificateFiles { certificate, key } = self.files;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.certificate).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let chain = chain.ok_or_else(|| wrong("--tls-cert", certificate, "certificate"))?;
        let secret = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|_| wrong("--tls-key", key, "private key without a password"))?;
        Certificate::new(chain, secret).map_err(|fault| FileFault::Unusable {
            certificate: certificate.clone(),
            key: key.clone(),
            fault,
        })
    }
}

fn wrong(flag: &'static str, path: &Path, expected: &'static str) -> FileFault {
    FileFault::Wrong {
        flag,
        path: path.to_owned(),
        expected,
    }
}

fn read(flag: &'static str, path: &Path) -> Result<Vec<u8>, FileFault> {
    regular_file::read(path, MAX_LENGTH).map_err(|source| FileFault::Unreadable {
        flag,
        path: path.to_owned(),
        source,
    })
}
