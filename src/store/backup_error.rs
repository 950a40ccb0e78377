//! Why a backup cannot be made or used.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::text::one_line::one_line;

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
    /// It is of a build before this format.
    #[error(
        "{} was written by a taubenabwehr from before the first release, which this one cannot read: restore it with that one, and \
         export its inquiries",
        .0.display()
    )]
    Former(PathBuf),
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
