//! Putting a backup in the place of a store without inquiries.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use jiff::Timestamp;
use redb::{ReadableDatabase, ReadableTableMetadata, WriteTransaction};

use super::error::BackupError;
use super::hold::{self, HeldBack};
use super::opened::Backup;
use crate::panics;
use crate::store::core::Fact;
use crate::store::erased_list::{self, Erased};
use crate::store::erasure::Erasure;
use crate::store::findings::Findings;
use crate::store::redb::copying::Copying;
use crate::store::redb::create::FileOperations;
use crate::store::redb::directory::LOCK_WAIT;
use crate::store::redb::erasure_log::{ErasureLog, ErasureLogWriter, ListOperations};
use crate::store::redb::error::attempt;
use crate::store::redb::open_error::OpenError;
use crate::store::redb::schema::{INQUIRIES, META, SUBSCRIPTIONS, TRACES};
use crate::store::redb::{create, directory, migrations, open, reads, tables};
use crate::text::one_line::one_line;

/// What was restored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    /// How many inquiries.
    pub inquiries: u64,
    /// What is held.
    pub held: HeldBack,
    /// How many inquiries and subscriptions of the backup were erased again.
    pub erased: u64,
    /// When the backup was made.
    pub made_at: Option<Timestamp>,
}

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
    let mut backup = Backup::read_in(path, data_dir)?;
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
    let findings = backup.check()?;
    must_be_whole(&backup.path, &findings)?;
    let mut restored = Restored {
        made_at: backup.made_at()?,
        ..Restored::default()
    };
    let failed = |error: redb::Error| BackupError::Restore {
        path: target.data_dir.to_owned(),
        reason: one_line(&error.to_string()),
    };
    let prepared = attempt(|| {
        migrations::commit(&backup.database, |file| {
            restored.erased = end_subscriptions(file, erased)?;
            restored.held = hold::hold(file, now, erased)?;
            let mut meta = file.open_table(META)?;
            // The copy has no traces, and the time of the backup has passed.
            for fact in [TRACES, Fact::Clock.name(), Fact::ClockDoubted.name()] {
                meta.remove(fact)?;
            }
            Ok(())
        })
    });
    prepared.map_err(failed)?;
    let what = Erasure::Ids(erased.keys().copied().collect::<BTreeSet<_>>());
    // Listed before, as always: the next backup may be older than some of it, too.
    let mut noting = ErasureLogWriter::begin(target.list, now);
    let listed = list_again(&target.listed, erased, &mut noting);
    listed.map_err(|error| failed(error.into()))?;
    let replaced = create::replace_by(target.files, |new| {
        tables::copy_all(&Copying {
            old: &backup.database.begin_read()?,
            new,
            erasure: Some(&what),
            now,
            progress: &|| {},
        })
    });
    let replaced = replaced.map_err(failed)?;
    noting.keep();
    replaced.named.map_err(BackupError::Unsure)?;
    let counted = attempt(|| Ok(replaced.database.begin_read()?.open_table(INQUIRIES)?.len()?));
    restored.inquiries = counted.map_err(failed)?;
    restored.erased += findings.inquiries().saturating_sub(restored.inquiries);
    Ok(restored)
}

fn must_be_whole(path: &Path, findings: &Findings) -> Result<(), BackupError> {
    match findings.damaged.first() {
        None => Ok(()),
        Some(first) => Err(BackupError::damaged(path, first)),
    }
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

/// Ends the subscriptions that a list names, unless they were asked for again later; returns their number.
fn end_subscriptions(file: &WriteTransaction, erased: &Erased) -> Result<u64, redb::Error> {
    let mut table = file.open_table(SUBSCRIPTIONS)?;
    let mut ended = 0;
    for (id, at) in erased {
        let key = id.as_bytes();
        let found = reads::subscription(&table, key)?;
        if found.is_some_and(|found| found.delivery.since <= *at) {
            table.remove(key)?;
            ended += 1;
        }
    }
    Ok(ended)
}
