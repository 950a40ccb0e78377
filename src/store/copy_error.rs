//! Why a store was not copied or restored.

use std::path::PathBuf;

use super::backup_error::BackupError;
use super::erased_list::ErasedListError;
use super::error::kept;
use super::map::{EngineError, Kind};
use super::open_error::OpenError;

/// Why a store was not copied or restored; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum CopyError {
    /// The source cannot be read.
    #[error("the source cannot be read: {0}; `taubenabwehr check` says what is damaged in it")]
    Read(EngineError),
    /// The target has inquiries.
    #[error("{} has {}; choose another --data-dir, or move its files away", place.display(), kept(*count))]
    NotEmpty { place: PathBuf, count: u64 },
    /// An instance uses the target.
    #[error("a server uses the database; stop it, wait three minutes if it was killed, and copy again")]
    InUse,
    /// The target cannot be written.
    #[error("cannot write to {place}: {reason}; make room there, and try again")]
    Write { place: String, reason: String },
    /// The target cannot be read back.
    #[error("what was written to {place} cannot be read back: {reason}; check the disk, and try again")]
    ReadBack { place: String, reason: String },
    /// What was read back is something else.
    #[error("the copy is not like its source: {} of {} {}; check the target's disk, and copy again", copied, all, kind.label())]
    Different { kind: Kind, copied: u64, all: u64 },
    /// The server broke off.
    #[error("the server's copy is not whole: {0}; try again, and see its log")]
    Server(String),
    /// The backup cannot be used.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// One of the two cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The list of what was erased cannot be read.
    #[error(transparent)]
    Erased(#[from] ErasedListError),
    /// A thread has ended by a bug.
    #[error("the copy ended early; copy again")]
    Ended,
}

impl From<EngineError> for CopyError {
    fn from(error: EngineError) -> Self {
        Self::Read(error)
    }
}
