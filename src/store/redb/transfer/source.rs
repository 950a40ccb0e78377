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
        let erased = Erased::new();
        Ok(Self { database, erased })
    }

    /// Takes what a server has handed out as a backup.
    pub fn of_backup(backup: Backup) -> Self {
        Self {
            database: backup.into_database(),
            erased: Erased::new(),
        }
    }

    /// Adds the list of what was erased in a directory.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    pub fn with_erased(mut self, data_dir: &Path) -> Result<Self, ErasedListError> {
        let path = directory::erased(data_dir);
        if path.exists() {
            self.erased = erased_list::read(&path)?;
        }
        Ok(self)
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
