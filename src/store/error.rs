//! What can go wrong with an open store, whatever its engine.

use uuid::Uuid;

use crate::domain::referral::Refusal;

/// Why an inquiry was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InsertError {
    /// The idempotency key came with another request before.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The store cannot take it now: too much to do, a full, failing or hanging disk, or closed.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// The store cannot be read or written now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store is unavailable")]
pub struct Unavailable;

/// Why a referral was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// It cannot happen.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store cannot take it now.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// Why photos were not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhotoRefusal {
    /// There is no inquiry that could have some.
    #[error("there is no such inquiry any more")]
    Gone,
    /// It would have more than it may.
    #[error("the inquiry has too many photos")]
    TooMany,
    /// The store cannot take them now.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// Why inquiries were not erased, or not wholly; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// There is no inquiry with this id.
    #[error(
        "there is no inquiry with the id {0}, so nothing was erased; `taubenabwehr inquiries` shows the ids"
    )]
    Unknown(Uuid),
    /// The engine could not do it.
    #[error("{0}")]
    Failed(String),
    /// They are erased, but the file could not be rewritten without their bytes.
    #[error(
        "erased inquiries: {count}; but traces of them remain in the file: {reason}; free some space there, and the server removes \
         them within a minute"
    )]
    Traces {
        /// How many were erased.
        count: u64,
        /// Why traces remain.
        reason: String,
    },
    /// The store is closed, has too much to do, or its disk hangs.
    #[error("the store cannot be written now, so nothing was erased; try again")]
    Unavailable(#[from] Unavailable),
}
