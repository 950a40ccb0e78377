//! Reads certificate files again when they change. Whoever renews them needs neither a restart nor a signal.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::Signal;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::files::{Contents, FileFault};
use super::resolver::Resolver;
use crate::config::CertificateFiles;

/// Pause between two looks at the files: operators should not have to wait, and reading two small files costs nothing.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// The certificate files of a server, and what was found in them last.
pub struct Renewal {
    files: CertificateFiles,
    resolver: Arc<Resolver>,
    seen: Result<Contents, FileFault>,
}

impl Renewal {
    /// Reads the files for the first time, and hands what they hold to the resolver.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn start(files: CertificateFiles, resolver: Arc<Resolver>) -> Result<Self, FileFault> {
        let contents = files.read()?;
        resolver.set_certificate(files.parse(&contents)?);
        Ok(Self {
            files,
            resolver,
            seen: Ok(contents),
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
            let Ok(found) = spawn_blocking(move || files.read()).await else {
                continue;
            };
            // Whoever sends a signal wants an answer, also about files that are the same.
            if found == self.seen && !is_hangup {
                continue;
            }
            match found
                .as_ref()
                .map_err(FileFault::clone)
                .and_then(|contents| self.files.parse(contents))
            {
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
            self.seen = found;
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
