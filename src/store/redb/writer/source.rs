//! Where the writer's file comes from.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redb::{Database, StorageBackend};

use crate::store::redb::error::attempt;
use crate::store::redb::open;
use crate::store::redb::open_error::{OpenError, explain};

/// Where the writer's file comes from, and how it is opened again after a fault.
pub struct DatabaseSource {
    data_dir: PathBuf,
    open: Box<dyn Fn() -> Result<Database, OpenError> + Send>,
}

impl DatabaseSource {
    /// The file of a data directory.
    pub fn file(data_dir: &Path) -> Self {
        let directory = data_dir.to_owned();
        Self {
            data_dir: data_dir.to_owned(),
            open: Box::new(move || Ok(open::existing(&directory, Duration::ZERO)?.database)),
        }
    }

    /// A storage of the caller's, for the file of a data directory.
    pub fn storage<B: StorageBackend>(
        data_dir: &Path,
        storage: impl Fn() -> io::Result<B> + Send + 'static,
    ) -> Self {
        let directory = data_dir.to_owned();
        let open = move || {
            let opened = attempt(|| open::current(storage()?));
            opened.map_err(|error| explain(&directory, error))
        };
        Self {
            data_dir: data_dir.to_owned(),
            open: Box::new(open),
        }
    }

    /// Opens the file.
    pub fn open(&self) -> Result<Database, OpenError> {
        (self.open)()
    }

    /// Returns the directory in which new files take the place of this one.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }
}
