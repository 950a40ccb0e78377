//! Errors of backups, copies and restores.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::text::counted;
use crate::base::text::mail_address::one_line;
use crate::store::OpenError;
use crate::store::erased_list::ErasedListError;
use crate::store::map::{EngineError, EntryKind};

/// Why a backup, a copy or a restore was not made; displayed as one line with advice.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum TransferError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}; check the path and who may read it", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// The backup is empty.
    #[error("{} is empty; use another backup", .0.display())]
    Empty(PathBuf),
    /// The file is not a backup.
    #[error("{} is not a backup; name a file that `taubenabwehr backup` has written", .0.display())]
    Foreign(PathBuf),
    /// The backup is from a later version.
    #[error(
        "{} was written by a newer taubenabwehr (version {found}, this one knows up to {known}); update this program",
        path.display()
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    /// The backup is from a build before this format.
    #[error(
        "{} was written by a taubenabwehr from before the first release, which this one cannot read: restore it with that one, and \
         export its inquiries",
        .0.display()
    )]
    Former(PathBuf),
    /// The backup is damaged.
    #[error("{} is damaged ({reason}); use another backup", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// The list of erased ids cannot be used.
    #[error(transparent)]
    ErasedList(#[from] ErasedListError),
    /// The source cannot be read.
    #[error("the source cannot be read: {0}; `taubenabwehr check` says what is damaged in it")]
    Read(#[from] EngineError),
    /// The server aborted the transfer.
    #[error("the server's copy is not whole: {0}; try again, and see its log")]
    Server(String),
    /// The source or the target cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The target contains inquiries.
    #[error("{place} has {}; choose another --data-dir, or move its files away", kept(*count))]
    NotEmpty { place: String, count: u64 },
    /// An instance uses the target.
    #[error("a server uses the database; stop it, wait three minutes if it was killed, and copy again")]
    InUse,
    /// The target cannot be written.
    #[error("cannot write to {place}: {reason}; make room there, and try again")]
    Write { place: String, reason: String },
    /// The target cannot be read back.
    #[error("what was written to {place} cannot be read back: {reason}; check the disk, and try again")]
    ReadBack { place: String, reason: String },
    /// The copy differs from its source.
    #[error("the copy is not like its source: {copied} of {all} {}; check the target's disk, and copy again", kind.label())]
    Different { kind: EntryKind, copied: u64, all: u64 },
    /// A read or write failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl TransferError {
    /// Converts a failed read with `describe`; returns any other error unchanged.
    pub(super) fn or_io(self, describe: impl FnOnce(io::Error) -> Self) -> Self {
        match self {
            Self::Io(error) => describe(error),
            error => error,
        }
    }

    pub(super) fn damaged(path: &Path, reason: &str) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            reason: one_line(reason),
        }
    }
}

fn kept(count: u64) -> String {
    counted(
        count,
        "inquiry, which stays as it is",
        "inquiries, which stay as they are",
    )
}
