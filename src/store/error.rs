//! Errors of an open store, whatever its engine.

use uuid::Uuid;

use crate::domain::referral::Refusal;

/// Why an inquiry was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InsertError {
    /// The idempotency key was used for another request before.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The store is unavailable: overloaded, closed, or its disk full, failing or hanging.
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
    /// The transition is not possible.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store is unavailable.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// Why photos were not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhotoRefusal {
    /// There is no inquiry they could belong to.
    #[error("there is no such inquiry any more")]
    Gone,
    /// The inquiry would exceed its limit.
    #[error("the inquiry has too many photos")]
    TooMany,
    /// The store is unavailable.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// Why inquiries were not erased, or not completely; displayed as one line with advice.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// There is no inquiry with this id.
    #[error(
        "there is no inquiry with the id {0}, so nothing was erased; `taubenabwehr inquiries` shows the ids"
    )]
    Unknown(Uuid),
    /// The engine failed.
    #[error("{0}")]
    Failed(String),
    /// They are erased, but the file could not be rewritten without their bytes.
    #[error(
        "erased inquiries: {count}; but traces of them remain in the file: {reason}; free some space there, and the server removes \
         them within a minute"
    )]
    Traces {
        /// Number of erased inquiries.
        count: u64,
        /// Why traces remain.
        reason: String,
    },
    /// The store is closed or overloaded, or its disk hangs.
    #[error("the store cannot be written now, so nothing was erased; try again")]
    Unavailable(#[from] Unavailable),
}
