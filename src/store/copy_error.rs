//! Why a store was not copied.

use super::backup::BackupError;
use super::open_error::OpenError;
use super::transfer::Section;
use super::{postgres, redb};

/// Why a store was not copied; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The file of the source cannot be read.
    #[error("the source cannot be read: {0}; `taubenabwehr check` says what is damaged in it")]
    Read(#[from] redb::transfer::ReadError),
    /// A database cannot be read or written.
    #[error(transparent)]
    Database(#[from] postgres::transfer::TransferError),
    /// A directory cannot be written.
    #[error(transparent)]
    Directory(#[from] redb::transfer::TargetError),
    /// The two are not alike.
    #[error("the copy is not like its source: {} of {} {}; check the target's disk, and copy again", copied, all, section.name())]
    #[allow(missing_docs, reason = "the message says what the fields are")]
    Different { section: Section, copied: u64, all: u64 },
    /// A server did not send everything.
    #[error("the server's copy is not whole: {0}; try again, and see its log")]
    Server(String),
    /// A backup cannot be used, or a directory does not take it.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The target cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A thread ended early.
    #[error("the copy ended early; copy again")]
    Ended,
}
