//! Why a backup cannot be made or used.

use std::io;
use std::path::{Path, PathBuf};

use crate::store::erased_list::ErasedListError;
use crate::store::error::kept;
use crate::store::redb::OpenError;
use crate::text::one_line::one_line;

/// Why a backup cannot be made or used; each in one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum BackupError {
    /// The system does not give it.
    #[error("cannot read {}: {source}; check the path and who may read it", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// There is nothing in it.
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
    Newer { path: PathBuf, found: u64, known: u64 },
    /// It is not what was written.
    #[error("{} is damaged ({reason}); use another backup", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// It holds what only a later version of the program knows.
    #[error("{} holds something that only a newer taubenabwehr knows; update this program", .0.display())]
    NewerRecords(PathBuf),
    /// Nobody takes its rows any more; whoever took them before says why.
    #[error("nobody takes what the backup holds")]
    Untaken,
    /// There is no room to unpack it.
    #[error("cannot unpack the backup: {0}; make room on that disk, or name another directory by TMPDIR")]
    Scratch(io::Error),
    /// The directory to restore to cannot be used.
    #[error(transparent)]
    Target(#[from] OpenError),
    /// The directory to restore to holds something.
    #[error(
        "{} has {}; choose another --data-dir, or move its files away",
        path.display(),
        kept(*count)
    )]
    NotEmpty { path: PathBuf, count: u64 },
    /// The restored file cannot be written.
    #[error("cannot write to {}: {reason}; it is as it was; make room there, and try again", path.display())]
    Restore { path: PathBuf, reason: String },
    /// The disk failed in the very last step.
    #[error(
        "the backup was restored, but a power cut may undo that: {0}; check the disk, and then the inquiries"
    )]
    Unsure(io::Error),
    /// The list of what was erased cannot be used.
    #[error(transparent)]
    Erased(#[from] ErasedListError),
}

impl BackupError {
    /// Describes one that the system does not give.
    pub fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Unreadable {
            path: path.to_owned(),
            source,
        }
    }

    /// Describes a backup that is not what was written.
    pub fn damaged(path: &Path, reason: &str) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            reason: one_line(reason),
        }
    }
}
