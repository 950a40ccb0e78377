//! Where a store is: what `--store` names.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::task::spawn_blocking;

use super::Store;
use super::copy::{CopyTarget, restore_to};
use super::copy_error::CopyError;
use super::erased_list::Erased;
use super::findings::Findings;
use super::map::{Engine, EngineError, View};
use super::open_error::OpenError;
use super::postgres::{self, Connector, PostgresEngine};
use super::redb::RedbEngine;
use super::row_source::RowSource;
use super::transfer::{self, Restored};
use super::{reads, schema};

/// What the address of a directory begins with.
const DIRECTORY: &str = "redb:";

/// Why an address names no store. It never shows the address, which may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocationError {
    /// It is of no kind that is known.
    #[error("it must be redb:DIR or postgres://…")]
    Kind,
    /// It names no directory.
    #[error("behind redb: it must name a directory")]
    NoDirectory,
    /// It is not the address of a database.
    #[error("{0}")]
    Database(#[from] postgres::SettingsError),
}

/// Where a store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location(Place);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Directory(PathBuf),
    Database(Box<postgres::Settings>),
}

impl Location {
    /// Returns the place of a directory.
    pub fn directory(path: PathBuf) -> Self {
        Self(Place::Directory(path))
    }

    /// Parses an address: `redb:DIR` or `postgres://…`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &OsStr) -> Result<Self, LocationError> {
        if let Some(path) = text.as_bytes().strip_prefix(DIRECTORY.as_bytes()) {
            if path.is_empty() {
                return Err(LocationError::NoDirectory);
            }
            return Ok(Self::directory(OsStr::from_bytes(path).into()));
        }
        let text = text.to_str().ok_or(LocationError::Kind)?;
        if !postgres::is_address(text) {
            return Err(LocationError::Kind);
        }
        Ok(Self(Place::Database(Box::new(text.parse()?))))
    }

    /// Returns the place with the file of a database's password; a directory needs none.
    #[must_use]
    pub fn with_password_file(mut self, file: Option<PathBuf>) -> Self {
        if let Place::Database(settings) = &mut self.0 {
            settings.password_file = file;
        }
        self
    }

    /// Returns the file with the database's password, if one is named.
    pub fn password_file(&self) -> Option<&Path> {
        match &self.0 {
            Place::Directory(_) => None,
            Place::Database(settings) => settings.password_file.as_deref(),
        }
    }

    /// Returns the address whose directory, if it is relative, begins at another one.
    pub fn resolve(text: &str, resolve: impl FnOnce(&Path) -> PathBuf) -> OsString {
        match text.strip_prefix(DIRECTORY) {
            Some(path) => {
                let mut address = OsString::from(DIRECTORY);
                address.push(resolve(Path::new(path)));
                address
            }
            None => text.into(),
        }
    }

    /// Returns the text of an argument without the passwords of addresses in it; `None` if there are none.
    pub fn without_password(argument: &str) -> Option<String> {
        argument.match_indices(postgres::NAME).find_map(|(begin, _)| {
            let (before, address) = argument.split_at_checked(begin)?;
            let shown = postgres::without_password(address)?;
            Some(format!("{before}{shown}"))
        })
    }

    /// Returns the data directory, where a server answers commands; `None` where commands go to the store themselves.
    pub fn data_dir(&self) -> Option<&Path> {
        match &self.0 {
            Place::Directory(path) => Some(path),
            Place::Database(_) => None,
        }
    }

    /// Reads the files that the address names.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub fn check_files(&self) -> Result<(), OpenError> {
        match &self.0 {
            Place::Directory(_) => Ok(()),
            Place::Database(settings) => connector(settings).map(drop),
        }
    }

    /// Opens the store for a server, and creates what is missing.
    ///
    /// # Errors
    /// When it cannot be used. A database that cannot be reached is no error: the store is unavailable then, and recovers by
    /// itself.
    pub async fn open(&self) -> Result<Store, OpenError> {
        match &self.0 {
            Place::Directory(path) => Store::open(path),
            Place::Database(settings) => Store::connect(connector(settings)?).await,
        }
    }

    /// Opens the store for a command; waits for nothing, and creates no directory.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server has it.
    pub async fn open_existing(&self) -> Result<Store, OpenError> {
        match &self.0 {
            Place::Directory(path) => Store::open_existing(path),
            Place::Database(settings) => Store::connect_now(connector(settings)?).await,
        }
    }

    /// Opens the store to copy everything from it.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server has it.
    pub async fn copy_source(&self) -> Result<RowSource, OpenError> {
        let engine = self.engine()?;
        blocking(move || {
            let view = whole(&*engine)?;
            schema::check(&reads::facts(&*view)?)?;
            Ok(RowSource::of_engine(view, engine))
        })
        .await
        .map_err(|error| self.explained(error))
    }

    /// Prepares copying everything to the store, which is not opened yet.
    ///
    /// # Errors
    /// When certificates that are needed cannot be read.
    pub fn copy_target(&self) -> Result<CopyTarget, OpenError> {
        Ok(match &self.0 {
            Place::Directory(path) => CopyTarget::Directory(path.clone()),
            Place::Database(settings) => CopyTarget::Database(connector(settings)?),
        })
    }

    /// Restores a backup to a place without inquiries, except for what a list says was erased since.
    ///
    /// # Errors
    /// When nothing was restored.
    pub async fn restore(&self, path: &Path, erased: &Erased, now: Timestamp) -> Result<Restored, CopyError> {
        restore_to(path, self.copy_target()?, erased, now).await
    }

    /// Checks a store that no server has; changes nothing.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub async fn check(&self) -> Result<Findings, OpenError> {
        let engine = self.engine()?;
        blocking(move || {
            let view = whole(&*engine)?;
            schema::check(&reads::facts(&*view).unwrap_or_default())?;
            let mut findings = transfer::check(&*view);
            drop(view);
            if !engine.is_intact()? {
                findings.note(|| "pages of the file: their checksums are wrong".to_owned());
            }
            Ok(findings)
        })
        .await
        .map_err(|error| self.explained(error))
    }

    /// Opens the engine alone, for a command that reads everything, whatever state it is in.
    fn engine(&self) -> Result<Box<dyn Engine>, OpenError> {
        Ok(match &self.0 {
            Place::Directory(path) => Box::new(RedbEngine::open_existing(
                path,
                Duration::ZERO,
                Arc::new(Timestamp::now),
            )?),
            Place::Database(settings) => Box::new(PostgresEngine::new(connector(settings)?, None)),
        })
    }

    fn explained(&self, error: EngineError) -> OpenError {
        match &self.0 {
            Place::Directory(path) => OpenError::explained(path, error),
            Place::Database(_) => OpenError::Database(error),
        }
    }
}

/// Returns everything as it is now; a database is connected to first, which refuses one that is not ours.
fn whole(engine: &dyn Engine) -> Result<Box<dyn View + Send>, EngineError> {
    if engine.writer().is_some() {
        engine.reopen()?;
    }
    engine.view(true)
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
) -> Result<T, EngineError> {
    let called = spawn_blocking(call).await;
    called.unwrap_or_else(|_| Err(EngineError::Lost("the store was not read to its end".to_owned())))
}

fn connector(settings: &postgres::Settings) -> Result<Connector, OpenError> {
    Ok(Connector::new(settings.clone())?)
}

/// Shows where it is, without user and password.
impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::Directory(path) => path.display().fmt(formatter),
            Place::Database(settings) => settings.fmt(formatter),
        }
    }
}
