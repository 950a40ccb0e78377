//! Copying a store to another one, or restoring a backup, and comparing the two.

use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;

use jiff::Timestamp;
use tokio::task::spawn_blocking;

use super::backup::Backup;
use super::copy_error::CopyError;
use super::erased_list::Erased;
use super::map::Kind;
use super::postgres::Connector;
use super::row_source::RowSource;
use super::transfer::{Purpose, Restored, Restoring, Row, Tally, Target};
use crate::base::panics;

/// Rows that wait for the writer, at most, at once and in all.
const CHUNK: usize = 256;
const WAITING: usize = 4;

/// Where a store is copied to.
#[derive(Debug, Clone)]
pub enum CopyTarget {
    /// A data directory.
    Directory(PathBuf),
    /// A database.
    Database(Connector),
}

impl CopyTarget {
    fn begin(&self, purpose: Purpose) -> Result<Target, CopyError> {
        match self {
            Self::Directory(path) => Target::directory(path, purpose),
            Self::Database(connector) => Target::database(connector.clone()),
        }
    }
}

/// Copies everything that a store holds at one moment; returns what that is. The target is not used before the two were compared. Must
/// run inside a runtime.
///
/// # Errors
/// When the target holds nothing, or says that it is not whole.
pub async fn copy(source: RowSource, target: CopyTarget) -> Result<Tally, CopyError> {
    blocking(move || {
        // Of both it is compared what is of use at one time.
        let now = Timestamp::now();
        let mut target = target.begin(Purpose::Copy)?;
        let tally = fill(&mut target, move |each| {
            source.read(&mut |row| if row.is_of_use(now)? { each(row) } else { Ok(()) })
        })?;
        target.finish(&tally, now)?;
        Ok(tally)
    })
    .await
}

/// Restores a backup to a place without inquiries, except for what a list says was erased since.
///
/// # Errors
/// When nothing was restored.
pub fn restore(
    path: &Path,
    target: &CopyTarget,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, CopyError> {
    let mut backup = Backup::read(path)?;
    backup.must_be_whole()?;
    let mut target = target.begin(Purpose::Restore)?;
    let mut restoring = Restoring::new(backup.made_at(), erased.clone(), now);
    let mut restored = Restored::default();
    let result = &mut restored;
    let tally = fill(&mut target, move |each| {
        backup.read_rows(&mut |row| {
            let row = if row.is_of_use(now)? {
                restoring.change(row)?
            } else {
                None
            };
            match row {
                Some(row) if row.is_of_use(now)? => each(row),
                _ => Ok(()),
            }
        })?;
        *result = restoring.restored();
        restoring.end().into_iter().try_for_each(each)
    })?;
    target.finish(&tally, now)?;
    Ok(restored)
}

/// Restores as [`restore`], on a thread that may wait.
///
/// # Errors
/// As there.
pub async fn restore_to(
    path: &Path,
    target: CopyTarget,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, CopyError> {
    let (path, erased) = (path.to_owned(), erased.clone());
    blocking(move || restore(&path, &target, &erased, now)).await
}

/// Calls a function for each row.
type Each<'a> = &'a mut dyn FnMut(Row) -> Result<(), CopyError>;

/// Writes all rows that are read, while they are read; returns what they are.
fn fill(
    target: &mut Target,
    read: impl FnOnce(Each<'_>) -> Result<(), CopyError> + Send,
) -> Result<Tally, CopyError> {
    let (sender, chunks) = sync_channel::<Vec<Row>>(WAITING);
    thread::scope(|scope| {
        let reading = scope.spawn(move || {
            let mut tally = Tally::default();
            let mut chunk = Vec::with_capacity(CHUNK);
            let read = panics::catch(|| {
                read(&mut |row| {
                    if row.kind != Kind::Erased {
                        tally.add(&row);
                    }
                    chunk.push(row);
                    if chunk.len() < CHUNK {
                        return Ok(());
                    }
                    sender
                        .send(std::mem::take(&mut chunk))
                        .map_err(|_| CopyError::Ended)
                })
            });
            read.unwrap_or(Err(CopyError::Ended))?;
            sender.send(chunk).map_err(|_| CopyError::Ended)?;
            Ok(tally)
        });
        let written = chunks.iter().flatten().try_for_each(|row| target.add(row));
        // So that whoever reads ends, too.
        drop(chunks);
        let read = reading.join().unwrap_or(Err(CopyError::Ended));
        // What could not be written says more than that nobody took the rest.
        written.and(read)
    })
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T, CopyError> + Send + 'static,
) -> Result<T, CopyError> {
    spawn_blocking(call).await.unwrap_or(Err(CopyError::Ended))
}
