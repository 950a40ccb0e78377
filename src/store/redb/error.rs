//! Errors and panics of redb.

use crate::panics;
use crate::store::core::ApplyError;
use crate::store::error::Damaged;
use crate::store::error::Unavailable;

/// Calls into redb and turns a panic, as on some damaged files, into one more of its errors.
pub fn attempt<T>(call: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, redb::Error> {
    panics::catch(call).unwrap_or_else(|panic| Err(redb::Error::Corrupted(panic)))
}

/// Logs why the file cannot be read; the caller only hears that it cannot.
pub fn logged(error: &redb::Error) -> Unavailable {
    tracing::error!(%error, "inquiries cannot be read");
    Unavailable
}

/// Returns the error for a value that is not what was written.
pub fn damaged(what: &str) -> redb::Error {
    redb::Error::Corrupted(what.to_owned())
}

impl From<ApplyError> for redb::Error {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Damaged(damaged) => damaged.into(),
            ApplyError::System(error) => Self::Io(error),
        }
    }
}

impl From<Damaged> for redb::Error {
    fn from(damaged: Damaged) -> Self {
        Self::Corrupted(damaged.to_string())
    }
}
