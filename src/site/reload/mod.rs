//! Reloading: SIGHUP rereads the configuration, and the site follows it and the published reviews.

mod site_keeper;

pub use site_keeper::SiteKeeper;

use std::sync::Arc;

use tokio::signal::unix::Signal;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use crate::base::process::notify;
use crate::config::toml_file::FileError;
use crate::config::{CertificateSource, ConfigFile, Handling};

/// Reloads the configuration file on each SIGHUP and publishes it. A file with errors changes nothing. Never returns.
pub async fn keep_reloading(
    hangups: &mut Signal,
    started_with: Option<&ConfigFile>,
    certificate: Option<&CertificateSource>,
    handling: &watch::Sender<Arc<Handling>>,
) {
    while hangups.recv().await.is_some() {
        // Sent even if there is nothing to reload, since the service manager waits for it.
        notify::reloading().await;
        match started_with {
            Some(started_with) => reload(started_with.clone(), handling).await,
            // `tls::Renewal` rereads them.
            None if matches!(certificate, Some(CertificateSource::Files(_))) => {
                tracing::info!("the certificate is read again; there is no configuration file");
            }
            None => tracing::warn!("SIGHUP ignored: there is no configuration file; name one with --config"),
        }
        notify::ready().await;
    }
}

async fn reload(started_with: ConfigFile, handling: &watch::Sender<Arc<Handling>>) {
    // On a blocking thread: a hung disk must not stall the server.
    let read = spawn_blocking(move || {
        let file = ConfigFile::read(started_with.path())?;
        let changed_flags: Vec<_> = started_with.changed_flags(&file).into_iter().collect();
        Ok::<_, FileError>((file.handling()?, changed_flags.join(", ")))
    });
    match read.await {
        Ok(Ok((next, keys))) => {
            let next = Arc::new(next);
            handling.send_replace(Arc::clone(&next));
            tracing::info!("configuration read again: {next}");
            if !keys.is_empty() {
                tracing::warn!(keys, "these keys changed, too; restart the server to apply them");
            }
        }
        Ok(Err(error)) => tracing::error!("configuration unchanged: {error}"),
        Err(error) => tracing::error!("configuration unchanged: {error}"),
    }
}
