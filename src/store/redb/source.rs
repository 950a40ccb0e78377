//! Where the writer's file comes from.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redb::{Database, StorageBackend};

use super::directory::{self, DirectoryLock, LOCK_WAIT};
use super::error::attempt;
use super::open::{self, Opened};
use super::open_error::{OpenError, explain};
use super::overlay::Revocation;

/// Where the writer's file comes from, and how it is opened again after a fault.
pub struct DatabaseSource {
    data_dir: PathBuf,
    open: Box<dyn Fn() -> Result<Opened, OpenError> + Send>,
    /// Keeps others from the directory, unless a command uses it.
    lock: Option<DirectoryLock>,
}

impl DatabaseSource {
    /// The file of a data directory.
    pub fn file(data_dir: &Path) -> Self {
        let directory = data_dir.to_owned();
        Self {
            data_dir: data_dir.to_owned(),
            open: Box::new(move || open::existing(&directory, Duration::ZERO)),
            lock: None,
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
            opened
                .map(Opened::from)
                .map_err(|error| explain(&directory, error))
        };
        Self {
            data_dir: data_dir.to_owned(),
            open: Box::new(open),
            lock: None,
        }
    }

    /// Opens the file.
    pub fn open(&self) -> Result<Opened, OpenError> {
        (self.open)()
    }

    /// Keeps others from the directory from now on.
    pub fn keep(&mut self, lock: Option<DirectoryLock>) {
        self.lock = lock;
    }

    /// Opens the file for reading alone, where nobody else may write it meanwhile.
    pub fn reading(&self) -> Option<(Database, Revocation)> {
        self.lock.as_ref()?;
        open::reading(&self.data_dir).ok()
    }

    /// Returns the right to put new files in the place of this one.
    pub fn lock(&self) -> Result<DirectoryLock, OpenError> {
        match &self.lock {
            Some(lock) => Ok(lock.clone()),
            None => directory::share(&self.data_dir, LOCK_WAIT),
        }
    }

    /// Returns the directory in which new files take the place of this one.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }
}
