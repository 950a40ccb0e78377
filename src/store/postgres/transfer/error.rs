//! Why a database was not copied.

use crate::store::error::Damaged;
use crate::store::error::kept;
use crate::store::postgres::OpenError;
use crate::store::postgres::error::Error;
use crate::store::transfer::Untaken;
use crate::text::one_line::one_line;

/// Why a database was not copied; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// It cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It holds something.
    #[error("the database has {}; choose another one, or drop its schema", kept(.0.unsigned_abs()))]
    NotEmpty(i64),
    /// An instance uses it.
    #[error("a server uses the database; stop it, wait three minutes if it was killed, and copy again")]
    InUse,
    /// It fails under way.
    #[error("the database does not take or give everything: {0}; nothing was copied; copy again")]
    Database(String),
    /// A value is not what was written.
    #[error("{0}; `taubenabwehr check` says which records of the source are damaged")]
    Damaged(#[from] Damaged),
    /// The other side says why.
    #[error("the copy was given up")]
    GivenUp,
}

impl From<Untaken> for TransferError {
    fn from(Untaken: Untaken) -> Self {
        Self::GivenUp
    }
}

impl From<Error> for TransferError {
    fn from(error: Error) -> Self {
        match error {
            Error::Unusable(reason) => (*reason).into(),
            Error::Damaged(damaged) => damaged.into(),
            Error::Database(error) => error.into(),
            other => Self::Database(other.to_string()),
        }
    }
}

impl From<tokio_postgres::Error> for TransferError {
    fn from(error: tokio_postgres::Error) -> Self {
        let reason = match error.as_db_error() {
            Some(said) => said.message().to_owned(),
            None => error.to_string(),
        };
        Self::Database(one_line(&reason))
    }
}
