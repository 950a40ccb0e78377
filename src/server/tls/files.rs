//! A certificate and its key in two files, as certbot, acme.sh and internal CAs write them. They are reloaded when they change, so
//! that renewals need neither a restart nor a signal.

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

/// Maximum size of a file in bytes. A chain of four certificates has 8 KiB; anything larger is some other file.
const MAX_LENGTH: u64 = 256 * 1024;

/// How often the files are checked: often enough that operators need not wait, and reading two small files costs little.
const LOOK_EVERY: Duration = Duration::from_secs(10);

impl CertificateFiles {
    /// Reads both files, and checks that they belong together. An expired certificate is not an error.
    ///
    /// # Errors
    /// One line with advice, if a file cannot be read or parsed, or they do not belong together.
    pub fn certificate(&self) -> Result<Certificate, String> {
        let certificate = read("--tls-cert", &self.certificate)?;
        let key = read("--tls-key", &self.key)?;
        let wrong = |flag, path: &Path, expected| {
            let path = path.display();
            format!("{path} holds no {expected} in PEM; `{flag}` must name a file that does")
        };
        Certificate::from_pem(&certificate, &key).map_err(|fault| match fault {
            CertificateFault::NoCertificate => wrong("--tls-cert", &self.certificate, "certificate"),
            CertificateFault::NoKey => wrong("--tls-key", &self.key, "private key without a password"),
            fault => {
                let (certificate, key) = (self.certificate.display(), self.key.display());
                format!("cannot use {certificate} with {key}: {fault}")
            }
        })
    }
}

fn read(flag: &str, path: &Path) -> Result<Vec<u8>, String> {
    regular_file::read(path, MAX_LENGTH).map_err(|error| {
        let path = path.display();
        format!("cannot read {path}: {error}; `{flag}` must name a file that the server's user can read")
    })
}

/// The certificate files of a server, and what was last read from them.
pub struct Renewal {
    files: CertificateFiles,
    resolver: Arc<Resolver>,
    seen: Result<Vec<CertificateDer<'static>>, String>,
}

impl Renewal {
    /// Reads the files for the first time, and passes the certificate to the resolver.
    ///
    /// # Errors
    /// One line with advice, if they cannot be used.
    pub fn start(files: CertificateFiles, resolver: Arc<Resolver>) -> Result<Self, String> {
        let certificate = files.certificate()?;
        let seen = Ok(certificate.key.cert.clone());
        resolver.set_certificate(certificate);
        Ok(Self {
            files,
            resolver,
            seen,
        })
    }

    /// Checks the files periodically and on each SIGHUP. An invalid pair is logged once, and the previous certificate stays in use.
    /// Never returns.
    pub async fn keep_reading(&mut self, hangups: &mut Signal) {
        let mut looks = interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_hangup = tokio::select! {
                _ = looks.tick() => false,
                _ = hangups.recv() => true,
            };
            let files = self.files.clone();
            // On a blocking thread: a hung disk must not stall the server.
            let Ok(found) = spawn_blocking(move || files.certificate()).await else {
                continue;
            };
            let chain = found.as_ref().map(|found| found.key.cert.clone());
            let chain = chain.map_err(String::clone);
            // An operator who sends a signal expects a log line even if nothing has changed.
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

    /// Logs the certificate read at startup.
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
