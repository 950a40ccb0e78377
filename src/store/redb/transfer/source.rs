//! A file of inquiries that is copied.

use std::path::Path;
use std::time::Duration;

use redb::{ReadTransaction, ReadableDatabase};

use super::read::{self, ReadError};
use crate::store::erased_list::{self, Erased, ErasedListError};
use crate::store::redb::error::attempt;
use crate::store::redb::handle::KeepOpen;
use crate::store::redb::open_error::explain;
use crate::store::redb::{directory, open, open_error::OpenError};
use crate::store::transfer::{Rows, Take};

/// A file of inquiries, as it was at one moment.
pub struct Source {
    // Closed before the file that it is read from.
    file: ReadTransaction,
    _keep_open: KeepOpen,
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
        let file = attempt(|| Ok(database.begin_read()?));
        Ok(Self {
            file: file.map_err(|error| explain(&directory::file(data_dir), error))?,
            _keep_open: KeepOpen::new(database.into()),
            erased,
        })
    }

    /// Takes what an open file shows, without what was erased, which is listed beside it.
    pub(in crate::store::redb) fn of(file: ReadTransaction, keep_open: KeepOpen) -> Self {
        Self {
            file,
            _keep_open: keep_open,
            erased: Erased::new(),
        }
    }

    /// Reads everything. Blocks.
    ///
    /// # Errors
    /// When it cannot be read, or nobody takes it.
    pub fn read(&self, rows: &mut Rows, take: Take<'_>) -> Result<(), ReadError> {
        read::all(&self.file, &self.erased, rows, take)
    }
}

/// Reads the list of what was erased in a directory; empty if there is none.
///
/// # Errors
/// When there is a list that cannot be read.
pub fn erased(data_dir: &Path) -> Result<Erased, ErasedListError> {
    let path = directory::erased(data_dir);
    if path.exists() {
        erased_list::read(&path)
    } else {
        Ok(Erased::new())
    }
}
