//! Reads certificate files again when they change. Whoever renews them needs neither a restart nor a signal.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::signal::unix::Signal;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::certificate::Certificate;
use super::files::{FileFault, FileFingerprint};
use super::resolver::Resolver;
use crate::config::CertificateFiles;

/// Pause between two looks at the files: operators should not have to wait, and reading two small files costs nothing.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// The certificate files of a server, and what was read from them last.
#[derive(Debug)]
pub struct Renewal {
    files: CertificateFiles,
    resolver: Arc<Resolver>,
    /// Of what is used or was refused last; `None` when the files could not be read.
    seen: Option<FileFingerprint>,
}

impl Renewal {
    /// Reads the files for the first time, and hands what they hold to the resolver.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn start(files: CertificateFiles, resolver: Arc<Resolver>) -> Result<Self, FileFault> {
        let (fingerprint, certificate) = {
            let contents = files.read()?;
            (contents.fingerprint(), contents.certificate()?)
        };
        resolver.set_default(certificate);
        Ok(Self {
            files,
            resolver,
            seen: Some(fingerprint),
        })
    }

    /// Looks at the files again and again, and at each hangup. A wrong pair changes nothing and is logged once. Never ends
    /// by itself.
    pub async fn keep_reading(&mut self, hangups: &mut Signal) {
        let mut looks = interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let trigger = tokio::select! {
                _ = looks.tick() => Trigger::Clock,
                _ = hangups.recv() => Trigger::Hangup,
            };
            let files = self.files.clone();
            let known = self.seen;
            // On a thread of its own: a disk that hangs must not stop the server.
            let Ok(look) = spawn_blocking(move || look(&files, known, trigger)).await else {
                continue;
            };
            self.apply(look, trigger);
        }
    }

    fn apply(&mut self, look: Look, trigger: Trigger) {
        match look {
            Look::Same => {}
            Look::Read(fingerprint, certificate) => {
                self.seen = Some(fingerprint);
                log("certificate read again", &certificate);
                self.resolver.set_default(certificate);
            }
            Look::Wrong(fingerprint, fault) => {
                // An unreadable file is reported when it becomes so, not with every look.
                if trigger == Trigger::Hangup || fingerprint.is_some() || self.seen.is_some() {
                    tracing::error!("the former certificate stays in use: {fault}");
                }
                self.seen = fingerprint;
            }
        }
    }

    /// Logs what was read at the start.
    pub fn log_first(&self) {
        if let Some(end) = self.resolver.first_end() {
            let until = shown(end);
            if end < std::time::SystemTime::now() {
                tracing::warn!(%until, file = %self.files.certificate.display(), "the certificate has expired; renew it");
            } else {
                tracing::info!(%until, file = %self.files.certificate.display(), "certificate read");
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    Clock,
    Hangup,
}

enum Look {
    /// Nothing to do.
    Same,
    Read(FileFingerprint, Certificate),
    Wrong(Option<FileFingerprint>, FileFault),
}

fn look(files: &CertificateFiles, known: Option<FileFingerprint>, trigger: Trigger) -> Look {
    let contents = match files.read() {
        Ok(contents) => contents,
        Err(fault) => return Look::Wrong(None, fault),
    };
    let fingerprint = contents.fingerprint();
    // Whoever sends a signal wants an answer, also about files that are the same.
    if known == Some(fingerprint) && trigger == Trigger::Clock {
        return Look::Same;
    }
    match contents.certificate() {
        Ok(certificate) => Look::Read(fingerprint, certificate),
        Err(fault) => Look::Wrong(Some(fingerprint), fault),
    }
}

fn log(event: &'static str, certificate: &Certificate) {
    let until = shown(certificate.not_after());
    if certificate.has_expired() {
        tracing::warn!(%until, "{event}, but it has expired; renew it");
    } else {
        tracing::info!(%until, "{event}");
    }
}

fn shown(time: std::time::SystemTime) -> String {
    Timestamp::try_from(time).map_or_else(
        |_| "a time beyond all calendars".to_owned(),
        |time| time.to_string(),
    )
}
