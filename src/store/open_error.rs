//! Why a store cannot be opened.

use std::io;
use std::path::{Path, PathBuf};

use super::map::EngineError;
use super::{postgres, redb};

/// Why a store cannot be opened; shown as one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or the file of the redb engine.
    #[error(transparent)]
    Redb(#[from] redb::OpenError),
    /// What the file holds cannot be used.
    #[error("{} cannot be used: {error}", path.display())]
    File {
        /// The data directory.
        path: PathBuf,
        /// Why.
        error: EngineError,
    },
    /// The address of a database, or the files that it names.
    #[error(transparent)]
    Connect(#[from] postgres::OpenError),
    /// The database cannot be used.
    #[error("the database cannot be used: {0}")]
    Database(EngineError),
    /// The system gives no thread.
    #[error("cannot start the thread that writes inquiries: {source}; free some memory or raise the limit")]
    Thread {
        /// What it says.
        source: io::Error,
    },
    /// An open store does not answer.
    #[error("the store cannot be read now; try again, and see the server's log")]
    Unreadable,
}

impl OpenError {
    pub(super) fn explained(data_dir: &Path, error: EngineError) -> Self {
        Self::File {
            path: data_dir.to_owned(),
            error,
        }
    }

    /// Returns whether another process has the store.
    pub fn is_in_use(&self) -> bool {
        matches!(self, Self::Redb(redb::OpenError::Locked(_)))
    }
}
