//! A certificate and its key in two files, as certbot, acme.sh and companies' authorities write them. They are read again when they
//! change: whoever renews them needs neither a restart nor a signal.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls_pki_types::CertificateDer;
use tokio::signal::unix::Signal;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::certificate::{Certificate, CertificateFault};
use super::resolver::Resolver;
use crate::base::files::regular_file;
use crate::config::CertificateFiles;

/// The longest file that is read, in bytes. A chain of four certificates has 8 KiB; anything longer is another file.
const MAX_LENGTH: u64 = 256 * 1024;

/// Pause between two looks at the files: operators should not have to wait, and reading two small files costs nothing.
const LOOK_EVERY: Duration = Duration::from_secs(10);

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

/// The certificate files of a server, and what was found in them last.
pub struct Renewal {
    files: CertificateFiles,
    resolver: Arc<Resolver>,
    seen: Result<Vec<CertificateDer<'static>>, FileFault>,
}

impl Renewal {
    /// Reads the files for the first time, and hands what they hold to the resolver.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn start(files: CertificateFiles, resolver: Arc<Resolver>) -> Result<Self, FileFault> {
        let certificate = files.certificate()?;
        let seen = Ok(certificate.key.cert.clone());
        resolver.set_certificate(certificate);
        Ok(Self {
            files,
            resolver,
            seen,
        })
    }

    /// Looks at the files again and again, and at each hangup. A wrong pair changes nothing and is logged once. Never ends
    /// by itself.
    pub async fn keep_reading(&mut self, hangups: &mut Signal) {
        let mut looks = interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_hangup = tokio::select! {
                _ = looks.tick() => false,
                _ = hangups.recv() => true,
            };
            let files = self.files.clone();
            // On a thread of its own: a disk that hangs must not stop the server.
            let Ok(found) = spawn_blocking(move || files.certificate()).await else {
                continue;
            };
            let chain = found.as_ref().map(|found| found.key.cert.clone());
            let chain = chain.map_err(FileFault::clone);
            // Whoever sends a signal wants an answer, also about files that are the same.
            if chain == self.seen && !is_hangup {
                continue;
            }
            self.seen = chain;
            match found {
                Ok(certificate) => {
                    let until = certificate.validity.end;
                    if certificate.has_expired() {
                        tracing::warn!(%until, "certificate read again, but it has expired; renew it");
                    } else {
                        tracing::info!(%until, "certificate read again");
                    }
                    self.resolver.set_certificate(certificate);
                }
                Err(fault) => tracing::error!("the former certificate stays in use: {fault}"),
            }
        }
    }

    /// Logs what was read at the start.
    pub fn log_first(&self) {
        if let Some(certificate) = self.resolver.certificate() {
            let until = certificate.validity.end;
            let file = self.files.certificate.display();
            if certificate.has_expired() {
                tracing::warn!(%until, %file, "the certificate has expired; renew it");
            } else {
                tracing::info!(%until, %file, "certificate read");
            }
        }
    }
}
