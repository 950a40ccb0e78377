//! A backup in a file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::format::{self, BUFFER, HEAD};
use super::stream::{UnpackError, Unpacker};
use crate::base::files::regular_file;
use crate::store::backup_error::BackupError;
use crate::store::copy_error::CopyError;
use crate::store::findings::Findings;
use crate::store::transfer::{Check, Row};

/// A backup whose checksum is right.
pub struct Backup {
    path: PathBuf,
    file: File,
    /// The length of what is between head and checksum.
    length: u64,
    made_at: Option<Timestamp>,
}

impl Backup {
    /// Opens a backup, and compares its checksum.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn read(path: &Path) -> Result<Self, BackupError> {
        let mut file = regular_file::open(path).map_err(|error| BackupError::unreadable(path, error))?;
        format::check_head(path, &mut file)?;
        let mut backup = Self {
            path: path.to_owned(),
            length: format::check_digest(path, &mut file)?,
            file,
            made_at: None,
        };
        backup.made_at = backup.unpacker()?.made_at();
        Ok(backup)
    }

    /// Returns when it was made, if it says so.
    pub fn made_at(&self) -> Option<Timestamp> {
        self.made_at
    }

    /// Calls a function for each row.
    ///
    /// # Errors
    /// When not all can be read, or the function fails.
    pub fn read_rows(&mut self, each: &mut dyn FnMut(Row) -> Result<(), CopyError>) -> Result<(), CopyError> {
        let path = self.path.clone();
        let unpacker = self.unpacker()?;
        unpacker.read(each, |error| explain(&path, error).into())
    }

    /// Reads every record.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn check(&mut self) -> Result<Findings, BackupError> {
        let mut check = Check::default();
        let read = self.read_rows(&mut |row| {
            check.add(&row);
            Ok(())
        });
        match read {
            Ok(()) => Ok(check.finish()),
            Err(CopyError::Backup(error)) => Err(error),
            Err(error) => Err(BackupError::damaged(&self.path, &error.to_string())),
        }
    }

    /// Makes sure that every record can be read.
    ///
    /// # Errors
    /// When one cannot.
    pub fn must_be_whole(&mut self) -> Result<(), BackupError> {
        match self.check()?.damaged.first() {
            None => Ok(()),
            Some(first) => Err(BackupError::damaged(&self.path, first)),
        }
    }

    fn unpacker(&mut self) -> Result<Unpacker<'static, BufReader<io::Take<&mut File>>>, BackupError> {
        let sought = self.file.seek(SeekFrom::Start(HEAD as u64));
        sought.map_err(|error| BackupError::unreadable(&self.path, error))?;
        let content = BufReader::with_capacity(BUFFER, Read::by_ref(&mut self.file).take(self.length));
        Unpacker::new(content).map_err(|error| explain(&self.path, error))
    }
}

fn explain(path: &Path, error: UnpackError) -> BackupError {
    match error {
        UnpackError::Damaged(reason) => BackupError::damaged(path, &reason),
        UnpackError::Newer => BackupError::NewerRecords(path.to_owned()),
    }
}
