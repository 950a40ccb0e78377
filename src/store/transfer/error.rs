//! What can go wrong with a backup, a copy or a restore.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::text::mail_address::one_line;
use crate::store::OpenError;
use crate::store::erased_list::ErasedListError;
use crate::store::map::{EngineError, EntryKind};

/// Why a backup, a copy or a restore was not made; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum TransferError {
    /// The system does not give the file.
    #[error("cannot read {}: {source}; check the path and who may read it", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// There is nothing in the backup.
    #[error("{} is empty; use another backup", .0.display())]
    Empty(PathBuf),
    /// It is something else.
    #[error("{} is not a backup; name a file that `taubenabwehr backup` has written", .0.display())]
    Foreign(PathBuf),
    /// It is of a later version of the program.
    #[error(
        "{} was written by a newer taubenabwehr (version {found}, this one knows up to {known}); update this program",
        path.display()
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    /// It is of a build before this format.
    #[error(
        "{} was written by a taubenabwehr from before the first release, which this one cannot read: restore it with that one, and \
         export its inquiries",
        .0.display()
    )]
    Former(PathBuf),
    /// It is not what was written.
    #[error("{} is damaged ({reason}); use another backup", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// The list of what was erased cannot be used.
    #[error(transparent)]
    ErasedList(#[from] ErasedListError),
    /// The source cannot be read.
    #[error("the source cannot be read: {0}; `taubenabwehr check` says what is damaged in it")]
    Read(#[from] EngineError),
    /// The server broke off.
    #[error("the server's copy is not whole: {0}; try again, and see its log")]
    Server(String),
    /// One of the two cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The target has inquiries.
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
    /// What was read back is something else.
    #[error("the copy is not like its source: {copied} of {all} {}; check the target's disk, and copy again", kind.label())]
    Different { kind: EntryKind, copied: u64, all: u64 },
    /// Bytes cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl TransferError {
    /// Describes a file that the system does not give.
    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Unreadable { path, source }
    }

    /// Describes a backup that is not what was written.
    pub(super) fn damaged(path: &Path, reason: &str) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            reason: one_line(reason),
        }
    }
}

fn kept(count: u64) -> String {
    match count {
        1 => "1 inquiry, which stays as it is".to_owned(),
        _ => format!("{count} inquiries, which stay as they are"),
    }
}
