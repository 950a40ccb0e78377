//! A file of inquiries that is copied.

use std::path::Path;
use std::time::Duration;

use redb::{Database, ReadableDatabase};

use super::read::{self, ReadError};
use crate::store::erased_list::{self, Erased, ErasedListError};
use crate::store::redb::backup::Backup;
use crate::store::redb::{directory, open, open_error::OpenError};
use crate::store::transfer::Rows;

/// A file of inquiries, or a backup of one that a server has.
pub struct Source {
    database: Database,
    erased: Erased,
}

impl Source {
    /// Opens the file of a directory that nobody else has open.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server has it.
    pub fn open(data_dir: &Path) -> Result<Self, OpenError> {
        let database = open::existing(data_dir, Duration::ZERO)?.database;
        let erased = erased(data_dir).map_err(|error| OpenError::ErasedList(Box::new(error)))?;
        Ok(Self { database, erased })
    }

    /// Takes what a server has handed out as a backup, and the list of what was erased in its directory.
    ///
    /// # Errors
    /// When there is a list that cannot be read.
    pub fn of_backup(backup: Backup, data_dir: &Path) -> Result<Self, ErasedListError> {
        Ok(Self {
            database: backup.into_database(),
            erased: erased(data_dir)?,
        })
    }

    /// Reads everything, as of one moment. Blocks.
    ///
    /// # Errors
    /// When it cannot be read, or nobody takes it.
    pub fn read(&self, rows: &mut Rows) -> Result<(), ReadError> {
        let file = self.database.begin_read().map_err(redb::Error::from)?;
        read::all(&file, &self.erased, rows)
    }
}

fn erased(data_dir: &Path) -> Result<Erased, ErasedListError> {
    let path = directory::erased(data_dir);
    if path.exists() {
        erased_list::read(&path)
    } else {
        Ok(Erased::new())
    }
}
