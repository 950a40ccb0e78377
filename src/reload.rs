//! SIGHUP: reads again what becomes of inquiries.

use std::sync::Arc;

use tokio::signal::unix::Signal;
use tokio::sync::watch;
use tokio::task::{JoinError, spawn_blocking};

use crate::config::toml_file::FileError;
use crate::config::{ConfigFile, Handling, StartedWith};
use crate::systemd::notify;

/// Reads the file again at each hangup, and publishes what it says. A file that is wrong changes nothing. Never ends by itself.
pub async fn keep_reloading(
    mut hangups: Signal,
    started_with: Option<StartedWith>,
    handling: watch::Sender<Arc<Handling>>,
) {
    while hangups.recv().await.is_some() {
        let Some(started_with) = started_with.clone() else {
            tracing::warn!("SIGHUP ignored: there is no configuration file; name one with --config");
            continue;
        };
        notify::reloading().await;
        match read(started_with).await {
            Ok(Ok(read)) => {
                tracing::info!("configuration read again: {}", read.handling);
                if !read.changed_flags.is_empty() {
                    let keys = read.changed_flags.join(", ");
                    tracing::warn!(keys, "these keys changed, too; restart the server to apply them");
                }
                handling.send_replace(Arc::new(read.handling));
            }
            Ok(Err(error)) => tracing::error!("configuration unchanged: {error}"),
            Err(error) => tracing::error!("configuration unchanged: {error}"),
        }
        notify::ready().await;
    }
}

struct Read {
    handling: Handling,
    changed_flags: Vec<String>,
}

/// Reads on a thread of its own: a disk that hangs must not stop the server.
async fn read(started_with: StartedWith) -> Result<Result<Read, FileError>, JoinError> {
    spawn_blocking(move || {
        let file = ConfigFile::read(&started_with.path)?;
        let changed = started_with.changed_flags(&file);
        Ok(Read {
            handling: file.handling()?,
            changed_flags: changed.into_iter().map(str::to_owned).collect(),
        })
    })
    .await
}
