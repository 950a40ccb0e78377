//! What changes while the server runs: SIGHUP reads the configuration again, and the site follows it and the published reviews.

mod config_apply;
mod site_keeper;

pub use config_apply::{Followers, keep_following};
pub use site_keeper::SiteKeeper;

use std::sync::Arc;

use tokio::signal::unix::Signal;
use tokio::sync::watch;
use tokio::task::{JoinError, spawn_blocking};

use crate::base::process::notify;
use crate::config::toml_file::FileError;
use crate::config::{CertificateSource, ConfigFile, Handling, StartedWith};

/// What a hangup has the server read again.
#[derive(Debug)]
pub enum Reloading {
    /// The configuration file, and certificate files if there are any.
    File(StartedWith),
    /// The files of the certificate, which `tls::Renewal` reads.
    Certificate,
    /// Nothing was read from files.
    Nothing,
}

impl Reloading {
    /// Returns what follows from the files that the server was started with.
    pub fn of(file: Option<StartedWith>, certificate: Option<&CertificateSource>) -> Self {
        match (file, certificate) {
            (Some(file), _) => Self::File(file),
            (None, Some(CertificateSource::Files(_))) => Self::Certificate,
            (None, Some(CertificateSource::Acme(_)) | None) => Self::Nothing,
        }
    }
}

/// Reads the file again at each hangup, and publishes its contents. A file with an error changes nothing. Runs forever.
pub async fn keep_reloading(
    hangups: &mut Signal,
    reloading: &Reloading,
    handling: &watch::Sender<Arc<Handling>>,
) {
    while hangups.recv().await.is_some() {
        // Also where nothing is read: the service manager waits until it was.
        notify::reloading().await;
        match reloading {
            Reloading::File(started_with) => reload(started_with.clone(), handling).await,
            Reloading::Certificate => {
                tracing::info!("the certificate is read again; there is no configuration file");
            }
            Reloading::Nothing => {
                tracing::warn!("SIGHUP ignored: there is no configuration file; name one with --config");
            }
        }
        notify::ready().await;
    }
}

async fn reload(started_with: StartedWith, handling: &watch::Sender<Arc<Handling>>) {
    match read(started_with).await {
        Ok(Ok((next, changed_flags))) => {
            let next = Arc::new(next);
            handling.send_replace(Arc::clone(&next));
            tracing::info!("configuration read again: {next}");
            if !changed_flags.is_empty() {
                let keys = changed_flags.join(", ");
                tracing::warn!(keys, "these keys changed, too; restart the server to apply them");
            }
        }
        Ok(Err(error)) => tracing::error!("configuration unchanged: {error}"),
        Err(error) => tracing::error!("configuration unchanged: {error}"),
    }
}

/// Reads on a thread of its own: a disk that hangs must not stop the server. Returns the flags of the file that changed, too.
async fn read(started_with: StartedWith) -> Result<Result<(Handling, Vec<String>), FileError>, JoinError> {
    spawn_blocking(move || {
        let file = ConfigFile::read(&started_with.path)?;
        let changed = started_with.changed_flags(&file);
        Ok((file.handling()?, changed.into_iter().map(str::to_owned).collect()))
    })
    .await
}
