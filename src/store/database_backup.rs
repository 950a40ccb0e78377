//! Backups of a database, in the format of every backup, and restoring one to a database. Both go through a file of inquiries in
//! the directory for temporary files: what the database's own tools do better is left to them.

use std::io;
use std::path::Path;

use jiff::Timestamp;

use super::copy::{CopyError, CopySource, CopyTarget, copy};
use super::erased_list::Erased;
use super::open_error::OpenError;
use super::postgres::{self, Connector};
use super::redb::backup::{BackupError, Image, Restored, restore};
use super::redb::{self, Redb};
use super::temporary_dir::TemporaryDir;

/// Why a backup was not restored to a database; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The backup cannot be used, or a directory cannot be written.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The database cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database holds something, or does not take everything.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// There is no room for a moment.
    #[error("cannot unpack the backup: {0}; make room, or name another directory by TMPDIR")]
    Scratch(#[source] io::Error),
}

/// Copies everything in a database as it is now, for a backup.
///
/// # Errors
/// When the database cannot be read, or there is no room for the copy.
pub async fn image(connector: &Connector) -> Result<Image, BackupError> {
    let failed = |error: &dyn std::error::Error| BackupError::Copy(error.to_string());
    let temporary = TemporaryDir::new().map_err(|error| failed(&error))?;
    let source = postgres::transfer::Source::open(connector).await;
    let source = CopySource::Postgres(source.map_err(|error| failed(&error))?);
    let target = CopyTarget::Directory(temporary.data_dir());
    copy(source, target).await.map_err(|error| match error {
        // It says what to do with the database.
        CopyError::Database(error) => BackupError::Database(error.to_string()),
        error => failed(&error),
    })?;
    let copied = Redb::open_existing(&temporary.data_dir())?;
    let image = Box::pin(copied.image()).await;
    copied.close(super::deadline::DEADLINE).await;
    image
}

/// Restores a backup to a database without inquiries, except for what a list says was erased since.
///
/// # Errors
/// When the database has no inquiries, or those that it had.
pub async fn restore_to(
    connector: Connector,
    path: &Path,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, RestoreError> {
    let temporary = TemporaryDir::new().map_err(RestoreError::Scratch)?;
    let data_dir = temporary.data_dir();
    let restored = restore(path, &data_dir, erased, now)?;
    let source = redb::transfer::Source::open(&data_dir).map_err(OpenError::from)?;
    copy(CopySource::Redb(source), CopyTarget::Database(connector)).await?;
    Ok(restored)
}
