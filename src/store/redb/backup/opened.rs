//! A backup that was read back.

use std::env;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use redb::backends::FileBackend;
use redb::{Database, ReadableDatabase};

use super::error::BackupError;
use super::format;
use crate::store::core::Fact;
use crate::store::findings::Findings;
use crate::store::redb::error::attempt;
use crate::store::redb::schema;
use crate::store::redb::{check, database, migrations};

/// The content of a backup, unpacked to a file without a name. Its checksum is right.
pub struct Backup {
    pub(super) path: PathBuf,
    pub(super) database: Database,
}

impl Backup {
    /// Reads a backup, beside which it is unpacked, or else in the directory for temporary files.
    ///
    /// # Errors
    /// When it is not whole, or not a backup.
    pub fn read(path: &Path) -> Result<Self, BackupError> {
        let beside = path.parent().filter(|beside| !beside.as_os_str().is_empty());
        let scratch = tempfile::tempfile_in(beside.unwrap_or(Path::new(".")))
            .or_else(|_| tempfile::tempfile_in(env::temp_dir()));
        Self::unpack(path, scratch.map_err(BackupError::Scratch)?)
    }

    /// Reads a backup, which is unpacked in a directory.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_in(path: &Path, directory: &Path) -> Result<Self, BackupError> {
        Self::unpack(
            path,
            tempfile::tempfile_in(directory).map_err(BackupError::Scratch)?,
        )
    }

    fn unpack(path: &Path, mut scratch: std::fs::File) -> Result<Self, BackupError> {
        format::unpack(path, &mut scratch)?;
        let failed = |error: redb::Error| BackupError::damaged(path, &error.to_string());
        let database = attempt(|| database::open_passing(FileBackend::new(scratch)?)).map_err(failed)?;
        // It outlives what may panic: redb can panic again when it closes a damaged file, which ends the process in the midst of
        // another panic.
        let backup = Self {
            path: path.to_owned(),
            database,
        };
        let found = attempt(|| {
            let found = migrations::schema_of(&backup.database)?;
            if let Some(found) = found.filter(|found| (1..=migrations::CURRENT).contains(found)) {
                migrations::migrate(&backup.database, found)?;
            }
            Ok(found)
        });
        let refusal = match found.map_err(failed) {
            Ok(None | Some(0)) => BackupError::Foreign(path.to_owned()),
            Ok(Some(found)) if found > migrations::CURRENT => BackupError::Newer {
                path: path.to_owned(),
                found,
                known: migrations::CURRENT,
            },
            Ok(Some(_)) => return Ok(backup),
            Err(error) => error,
        };
        // What keeps it from being closed says less.
        let _ = backup.close();
        Err(refusal)
    }

    /// Returns the file that was in it.
    pub(in crate::store::redb) fn into_database(self) -> Database {
        self.database
    }

    /// Closes it.
    ///
    /// # Errors
    /// When it is too damaged even for that.
    pub fn close(self) -> Result<(), BackupError> {
        let closed = attempt(|| {
            drop(self.database);
            Ok(())
        });
        closed.map_err(|error| BackupError::damaged(&self.path, &error.to_string()))
    }

    /// Reads every record.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn check(&mut self) -> Result<Findings, BackupError> {
        let checked = check::whole(&mut self.database);
        checked.map_err(|error| BackupError::damaged(&self.path, &error.to_string()))
    }

    /// Returns when it was made.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn made_at(&self) -> Result<Option<Timestamp>, BackupError> {
        let time = attempt(|| schema::time(&self.database.begin_read()?, Fact::Backup.name()));
        time.map_err(|error| BackupError::damaged(&self.path, &error.to_string()))
    }
}
