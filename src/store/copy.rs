//! Copying a store to another one, whatever engines they have, and comparing the two.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use tokio::task::{JoinError, spawn_blocking};

use super::backup::{Backup, BackupError, Restored, Restoring};
use super::erased_list::Erased;
use super::open_error::OpenError;
use super::postgres::{self, Connector};
use super::redb;
use super::row_source::RowSource;
use super::transfer::{Rows, Section, Tally};

/// Where a store is copied to.
#[derive(Debug, Clone)]
pub enum CopyTarget {
    /// A data directory.
    Directory(PathBuf),
    /// A database, whose tables exist.
    Database(Connector),
}

/// Why a store was not copied; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The file of the source cannot be read.
    #[error("the source cannot be read: {0}; `taubenabwehr check` says what is damaged in it")]
    Read(#[from] redb::transfer::ReadError),
    /// A database cannot be read or written.
    #[error(transparent)]
    Database(#[from] postgres::transfer::TransferError),
    /// A directory cannot be written.
    #[error(transparent)]
    Directory(#[from] redb::transfer::TargetError),
    /// The two are not alike.
    #[error("the copy is not like its source: {} of {} {}; check the target's disk, and copy again", copied, all, section.name())]
    #[allow(missing_docs, reason = "the message says what the fields are")]
    Different { section: Section, copied: u64, all: u64 },
    /// A server did not send everything.
    #[error("the server's copy is not whole: {0}; try again, and see its log")]
    Server(String),
    /// A backup cannot be used, or a directory does not take it.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The target cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A thread ended early.
    #[error("the copy ended early; copy again")]
    Ended,
}

/// Copies everything that a store holds at one moment; returns what that is. The target declares itself incomplete until the two
/// were compared. Must run inside a runtime.
///
/// # Errors
/// When the target holds nothing, or says that it is not whole.
pub async fn copy(source: RowSource, target: CopyTarget) -> Result<Tally, CopyError> {
    // Of both it is compared what is of use at one time.
    let now = Timestamp::now();
    let rows = Rows::copying(now);
    let read = match target {
        CopyTarget::Directory(path) => {
            let target = blocking(move || Ok(redb::transfer::Target::begin(&path)?)).await?;
            let (receiver, reading) = source.start(rows);
            let (read, written) = blocking(move || {
                let mut read = Err(CopyError::Ended);
                let written = target.write(receiver, || {
                    read = reading.blocking_recv().unwrap_or(Err(CopyError::Ended));
                    read.is_ok()
                })?;
                Ok((read, written))
            })
            .await?;
            let read = read?;
            let written = written.ok_or(CopyError::Ended)?;
            blocking(move || {
                let mut rows = Rows::copying(now);
                written.read(&mut rows)?;
                compare(read.tally(), rows.tally())?;
                written.finish()?;
                Ok(read)
            })
            .await?
        }
        CopyTarget::Database(connector) => {
            let target = postgres::transfer::Target::begin(&connector).await?;
            fill(target, source, rows, now).await?
        }
    };
    Ok(read.tally().clone())
}

/// Restores a backup to a database without inquiries, except for what a list says was erased since.
///
/// # Errors
/// When the database is as it was, unless the connection was lost in the last step.
pub async fn restore_to(
    connector: &Connector,
    path: &Path,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, CopyError> {
    let path = path.to_owned();
    let backup = blocking(move || {
        let mut backup = Backup::read(&path)?;
        backup.must_be_whole()?;
        Ok(backup)
    });
    let backup = backup.await?;
    let target = postgres::transfer::Target::restoring(connector).await?;
    let rows = Rows::restoring(Restoring::new(backup.made_at(), erased.clone(), now));
    let read = fill(target, RowSource::Backup(backup), rows, now).await?;
    Ok(read.restored())
}

/// Writes everything to a database, and reads it back; returns what was read from the source.
async fn fill(
    target: postgres::transfer::Target,
    source: RowSource,
    rows: Rows,
    now: Timestamp,
) -> Result<Rows, CopyError> {
    let (receiver, reading) = source.start(rows);
    let written = target.write(receiver).await?;
    let read = reading.await.map_err(|_| CopyError::Ended)??;
    let mut rows = Rows::copying(now);
    written.read(&mut rows).await?;
    compare(read.tally(), rows.tally())?;
    written.finish().await?;
    Ok(read)
}

fn compare(source: &Tally, target: &Tally) -> Result<(), CopyError> {
    match source.difference(target) {
        None => Ok(()),
        Some(section) => Err(CopyError::Different {
            section,
            copied: target.count(section),
            all: source.count(section),
        }),
    }
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T, CopyError> + Send + 'static,
) -> Result<T, CopyError> {
    let called = spawn_blocking(call).await;
    called.unwrap_or_else(|_: JoinError| Err(CopyError::Ended))
}
