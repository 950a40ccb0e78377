//! Why a store cannot be opened.

use super::{postgres, redb};

/// Why a store cannot be opened; shown as one line that says what to do. Each engine has its own reasons.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or the file of the redb engine.
    #[error(transparent)]
    Redb(#[from] redb::OpenError),
    /// The database of the PostgreSQL engine.
    #[error(transparent)]
    Postgres(#[from] postgres::OpenError),
    /// An open store does not answer.
    #[error("the store cannot be read now; try again, and see the server's log")]
    Unreadable,
}

impl OpenError {
    /// Returns whether another process has the store.
    pub fn is_in_use(&self) -> bool {
        match self {
            Self::Redb(error) => matches!(error, redb::OpenError::Locked(_)),
            // Any number of processes share a database.
            Self::Postgres(_) | Self::Unreadable => false,
        }
    }
}
