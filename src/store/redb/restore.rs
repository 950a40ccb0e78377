//! Putting a backup in the place of a store without inquiries.

use std::fs;
use std::path::Path;

use jiff::Timestamp;

use super::create::{self, FileOperations};
use super::directory::{self, LOCK_WAIT};
use super::erasure_log::{ErasureLog, ErasureLogWriter, ListOperations};
use super::open;
use super::open_error::OpenError;
use super::transfer::RowWriter;
use crate::panics;
use crate::store::backup::{Backup, BackupError, Restored, Restoring};
use crate::store::erased_list::{self, Erased};
use crate::store::transfer::{Batch, Rows, Untaken};
use crate::text::one_line::one_line;

/// Restores a backup into a directory without inquiries, except for what a list says was erased since.
///
/// # Errors
/// When the directory's inquiries are as they were, or, with [`BackupError::Unsure`], the disk failed in the very last step.
pub fn restore(
    path: &Path,
    data_dir: &Path,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, BackupError> {
    let is_new = !data_dir.exists();
    // redb may panic when it closes a backup that was found to be damaged.
    let restored = panics::catch(|| restore_to(path, data_dir, erased, now));
    let restored = restored.unwrap_or_else(|panic| Err(BackupError::damaged(path, &panic)));
    if is_new && restored.is_err() {
        // Only one that is empty goes.
        let _ = fs::remove_dir(data_dir);
    }
    restored
}

fn restore_to(
    path: &Path,
    data_dir: &Path,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, BackupError> {
    directory::prepare(data_dir)?;
    // From here on no server starts there. One that runs has the file.
    let lock = directory::lock(data_dir, LOCK_WAIT)?;
    open::must_not_be_copied_to(data_dir)?;
    create::remove_leftover(data_dir)?;
    let target = open::if_there(data_dir)?;
    if let Some(target) = &target {
        if target.is_copying() {
            return Err(OpenError::Copying(data_dir.to_owned()).into());
        }
        let count = target.inquiries();
        if count > 0 {
            return Err(BackupError::NotEmpty {
                path: data_dir.to_owned(),
                count,
            });
        }
    }
    let mut backup = Backup::read(path)?;
    let log = ErasureLog::of(data_dir);
    let target = Target {
        data_dir,
        files: &create::restoring(data_dir, &lock)?,
        list: &log,
        listed: listed(data_dir),
    };
    put(&mut backup, &target, erased, now)
}

/// Where a backup is restored; tests have one whose power fails.
pub struct Target<'a, F> {
    /// For messages.
    pub data_dir: &'a Path,
    /// Where the inquiries go.
    pub files: &'a F,
    /// The list of what was erased.
    pub list: &'a dyn ListOperations,
    /// What it names already.
    pub listed: Erased,
}

/// Restores a backup that was read.
///
/// # Errors
/// As for [`restore`].
pub fn put(
    backup: &mut Backup,
    target: &Target<'_, impl FileOperations>,
    erased: &Erased,
    now: Timestamp,
) -> Result<Restored, BackupError> {
    backup.must_be_whole()?;
    let failed = |error: redb::Error| BackupError::Restore {
        path: target.data_dir.to_owned(),
        reason: one_line(&error.to_string()),
    };
    // Listed before, as always: the next backup may be older than some of it, too.
    let mut noting = ErasureLogWriter::begin(target.list, now);
    let listed = list_again(&target.listed, erased, &mut noting);
    listed.map_err(|error| failed(error.into()))?;
    let mut rows = Rows::restoring(Restoring::new(backup.made_at(), erased.clone(), now));
    let mut unread = None;
    let replaced = create::replace_by(target.files, |new| {
        let mut writer = RowWriter::new(new);
        let mut unwritten = None;
        let mut write = |batch: Batch| {
            let written = batch.into_iter().try_for_each(|row| writer.write(row));
            written.map_err(|error| {
                unwritten = Some(error);
                Untaken
            })
        };
        let read = backup.read_rows(&mut rows, &mut write);
        let read = read.and_then(|()| write(rows.last()).map_err(|Untaken| BackupError::Untaken));
        match (unwritten, read) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => {
                unread = Some(error);
                Err(redb::Error::DatabaseClosed)
            }
            // What belongs on the list is there already.
            (None, Ok(())) => writer.finish().map(drop),
        }
    });
    if let Some(error) = unread {
        return Err(error);
    }
    let replaced = replaced.map_err(failed)?;
    noting.keep();
    replaced.named.map_err(BackupError::Unsure)?;
    Ok(rows.restored())
}

/// Returns what the directory's own list names already.
fn listed(data_dir: &Path) -> Erased {
    let path = directory::erased(data_dir);
    if !path.exists() {
        return Erased::new();
    }
    erased_list::read(&path).unwrap_or_default()
}

/// Adds what a list names to the directory's own one, unless it is there.
fn list_again(own: &Erased, erased: &Erased, noting: &mut ErasureLogWriter<'_>) -> std::io::Result<()> {
    for (id, at) in erased.iter().filter(|(id, at)| own.get(id) < Some(at)) {
        noting.add_at(*id, *at)?;
    }
    noting.sync()
}
