//! The location of a store, as given by `--store`.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::store::map::{Engine, EngineError, View};
use crate::store::postgres::{self, Connector, PostgresEngine};
use crate::store::redb::RedbEngine;
use crate::store::{LocationError, OpenError, Store, reads, schema};

/// Prefix of a directory's address.
const DIRECTORY: &str = "redb:";

/// The database in messages, without its address.
pub(super) const DATABASE: &str = "the database";

/// The location of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// In a file of a data directory.
    Directory(PathBuf),
    /// In a database.
    Database(Box<postgres::Settings>),
}

impl Location {
    /// Parses an address: `redb:DIR` or `postgres://…`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &OsStr) -> Result<Self, LocationError> {
        if let Some(path) = text.as_bytes().strip_prefix(DIRECTORY.as_bytes()) {
            if path.is_empty() {
                return Err(LocationError("behind redb: it must name a directory".to_owned()));
            }
            return Ok(Self::Directory(OsStr::from_bytes(path).into()));
        }
        let Some(text) = text.to_str().filter(|text| postgres::is_address(text)) else {
            return Err(LocationError("it must be redb:DIR or postgres://…".to_owned()));
        };
        Ok(Self::Database(Box::new(text.parse()?)))
    }

    /// Sets the file with the database's password; a directory needs none.
    #[must_use]
    pub fn with_password_file(mut self, file: Option<PathBuf>) -> Self {
        if let Self::Database(settings) = &mut self {
            settings.password_file = file;
        }
        self
    }

    /// The file with the database's password, if one is set.
    pub fn password_file(&self) -> Option<&Path> {
        match self {
            Self::Directory(_) => None,
            Self::Database(settings) => settings.password_file.as_deref(),
        }
    }

    /// Resolves a relative directory in an address.
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

    /// Hides the passwords of addresses in an argument; `None` if there are none.
    pub fn without_password(argument: &str) -> Option<String> {
        argument.match_indices(postgres::NAME).find_map(|(begin, _)| {
            let (before, address) = argument.split_at_checked(begin)?;
            let shown = postgres::without_password(address)?;
            Some(format!("{before}{shown}"))
        })
    }

    /// The data directory, where a server answers commands; `None` for a database, which commands open themselves.
    pub fn data_dir(&self) -> Option<&Path> {
        match self {
            Self::Directory(path) => Some(path),
            Self::Database(_) => None,
        }
    }

    /// Reads the files named in the address.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub fn check_files(&self) -> Result<(), OpenError> {
        match self {
            Self::Directory(_) => Ok(()),
            Self::Database(settings) => Connector::new(settings).map(drop),
        }
    }

    /// Opens the store for a server, creating what is missing.
    ///
    /// # Errors
    /// When it cannot be used. An unreachable database is not an error: the store is unavailable and recovers by itself.
    pub async fn open(&self) -> Result<Store, OpenError> {
        match self {
            Self::Directory(path) => Store::open(path),
            Self::Database(settings) => Store::connect(Connector::new(settings)?).await,
        }
    }

    /// Opens the store for a command; does not wait, and creates no directory.
    ///
    /// # Errors
    /// When it cannot be opened; [`OpenError::is_in_use`] tells whether a server holds it.
    pub async fn open_existing(&self) -> Result<Store, OpenError> {
        match self {
            Self::Directory(path) => Store::open_existing(path),
            Self::Database(settings) => Store::connect_now(Connector::new(settings)?, None).await,
        }
    }

    /// Opens only the engine, for a command that reads or writes everything whatever its state. A database is only connected to
    /// when it is reopened.
    pub(super) fn engine(&self) -> Result<Box<dyn Engine>, OpenError> {
        Ok(match self {
            Self::Directory(path) => Box::new(RedbEngine::open_existing(
                path,
                Duration::ZERO,
                Arc::new(Timestamp::now),
            )?),
            Self::Database(settings) => Box::new(PostgresEngine::new(Connector::new(settings)?, None)),
        })
    }

    pub(super) fn unusable(&self, error: EngineError) -> OpenError {
        let place = match self {
            Self::Directory(path) => path.display().to_string(),
            Self::Database(_) => DATABASE.to_owned(),
        };
        OpenError::Unusable { place, error }
    }
}

/// Opens a view of everything as it is now, after connecting to a database; connecting fails if it is not ours.
pub(super) fn whole(engine: &dyn Engine) -> Result<Box<dyn View + Send>, EngineError> {
    if engine.writer().is_some() {
        engine.reopen()?;
    }
    let view = engine.view(true)?;
    // Unreadable facts are reported when everything is read.
    schema::check(&reads::facts(&*view).unwrap_or_default())?;
    Ok(view)
}

/// Shows the location without user and password.
impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => path.display().fmt(formatter),
            Self::Database(settings) => settings.fmt(formatter),
        }
    }
}
