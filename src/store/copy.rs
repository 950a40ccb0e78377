//! Copying a store to another one, whatever engines they have, and comparing the two.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use tokio::sync::oneshot;
use tokio::task::{JoinError, spawn_blocking};

use super::erased_list::ErasedListError;
use super::postgres::{self, Connector};
use super::redb::{self, backup::Backup};
use super::transfer::{Rows, Section, Tally};

/// A store that is copied, open.
pub enum CopySource {
    /// A file of inquiries, or a server's backup of one.
    Redb(redb::transfer::Source),
    /// A database.
    Postgres(postgres::transfer::Source),
}

impl CopySource {
    /// Takes what a server has handed out as a backup, and the list of what was erased in its directory.
    ///
    /// # Errors
    /// When there is a list that cannot be read.
    pub fn of_backup(backup: Backup, data_dir: &Path) -> Result<Self, ErasedListError> {
        let source = redb::transfer::Source::of_backup(backup, data_dir)?;
        Ok(Self::Redb(source))
    }
}

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
    /// A thread ended early.
    #[error("the copy ended early; copy again")]
    Ended,
}

/// The end of reading: what was read, or why not all of it was.
type Reading = oneshot::Receiver<Result<Tally, CopyError>>;

/// Copies everything that a store holds at one moment; returns what that is. The target declares itself incomplete until the two
/// were compared. Must run inside a runtime.
///
/// # Errors
/// When the target holds nothing, or says that it is not whole.
pub async fn copy(source: CopySource, target: CopyTarget) -> Result<Tally, CopyError> {
    // Of both it is compared what is of use at one time.
    let now = Timestamp::now();
    match target {
        CopyTarget::Directory(path) => {
            let target = blocking(move || Ok(redb::transfer::Target::begin(&path)?)).await?;
            let (rows, receiver) = Rows::sending(now);
            let reading = read(source, rows);
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
                let mut rows = Rows::counting(now);
                written.read(&mut rows)?;
                compare(&read, &rows.into_tally())?;
                written.finish()?;
                Ok(read)
            })
            .await
        }
        CopyTarget::Database(connector) => {
            let target = postgres::transfer::Target::begin(&connector).await?;
            let (rows, receiver) = Rows::sending(now);
            let reading = read(source, rows);
            let written = target.write(receiver).await?;
            let read = reading.await.map_err(|_| CopyError::Ended)??;
            let mut rows = Rows::counting(now);
            written.read(&mut rows).await?;
            compare(&read, &rows.into_tally())?;
            written.finish().await?;
            Ok(read)
        }
    }
}

/// Reads a source beside whoever writes.
fn read(source: CopySource, mut rows: Rows) -> Reading {
    let (done, reading) = oneshot::channel();
    match source {
        CopySource::Redb(source) => {
            spawn_blocking(move || {
                let read = source.read(&mut rows).map_err(CopyError::from);
                // The receiver is gone when the caller has given up.
                let _ = done.send(read.map(|()| rows.into_tally()));
            });
        }
        CopySource::Postgres(source) => {
            tokio::spawn(async move {
                let read = source.read(&mut rows).await.map_err(CopyError::from);
                let _ = done.send(read.map(|()| rows.into_tally()));
            });
        }
    }
    reading
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
