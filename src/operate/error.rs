//! Errors of calls, and of writing their answers, each with one line that says what to do.

use std::io;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::ledger::LedgerRefusal;
use crate::domain::referral::Refusal;
use crate::store::{EraseError, OpenError, Unavailable, UpdateError};

/// Why a change was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// An inquiry, review, delivery or firm does not allow it.
    #[error(transparent)]
    Change(#[from] Refusal),
    /// The ledger does not allow it.
    #[error(transparent)]
    Ledger(#[from] LedgerRefusal),
    /// There is no inquiry with this id.
    #[error("{}", EraseError::Unknown(*.0))]
    Unknown(Uuid),
}

/// Why a call failed, or its answer is incomplete or cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The change was refused, and nothing was changed.
    #[error(transparent)]
    Refused(Refused),
    /// The store is damaged, or the database is gone.
    #[error(
        "the inquiries cannot be read to the end: try again, and run `taubenabwehr check` if that does not help"
    )]
    Unreadable,
    /// The store cannot be written.
    #[error("the inquiries cannot be changed now: see that the disk has room, then try again")]
    Unwritable,
    /// Any other failure, with its message.
    #[error("{0}")]
    Failed(String),
    /// The answer ended prematurely.
    #[error("the server broke off: {0}; try again, and see its log")]
    Broken(String),
    /// The answer comes from another version.
    #[error("the server sent something that is not understood; is it of the same version as this program?")]
    Strange,
    /// The output cannot be written. The error names it.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// There is no server, and the store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl From<Refusal> for CallError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

/// For calls that read. Calls that change something map the error themselves.
impl From<Unavailable> for CallError {
    fn from(_: Unavailable) -> Self {
        Self::Unreadable
    }
}

impl From<UpdateError> for CallError {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::Refused(refusal) => Self::Refused(refusal.into()),
            UpdateError::Unavailable(_) => Self::Unwritable,
        }
    }
}

impl From<EraseError> for CallError {
    fn from(error: EraseError) -> Self {
        match error {
            EraseError::Unknown(id) => Self::Refused(Refused::Unknown(id)),
            failed => {
                tracing::error!(error = %failed, "an erasure failed");
                Self::Failed(failed.to_string())
            }
        }
    }
}
