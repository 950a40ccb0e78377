//! Why a store cannot be opened.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::base::text::mail_address::one_line;
use crate::store::map::EngineError;

/// Why an address does not name a store. Never shows the address, which may contain a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LocationError(pub(super) String);

/// The other ways to name the store, appended to errors of most commands.
pub const OTHER_WAYS: &str = " (TAUBENABWEHR_DATA_DIR), name a database by --store (TAUBENABWEHR_STORE), or name the configuration \
    file by --config (TAUBENABWEHR_CONFIG): without any of them, /etc/taubenabwehr/config.toml is taken if this user may read it";

/// Why a store cannot be opened; displayed as one line with advice.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum OpenError {
    /// The data directory is missing and must not be created.
    #[error("the data directory {} does not exist; check --data-dir{OTHER_WAYS}", .0.display())]
    MissingDirectory(PathBuf),
    /// The file is missing and must not be created.
    #[error("there is no file {}; check --data-dir, or start the server once", .0.display())]
    MissingFile(PathBuf),
    /// The data directory is not a directory.
    #[error("{} is not a directory; choose another --data-dir", .0.display())]
    NotADirectory(PathBuf),
    /// A copy into the data directory is unfinished.
    #[error(
        "a copy into {} was not finished; copy to it again, or remove its files and choose what is to be there",
        .0.display()
    )]
    Copying(PathBuf),
    /// The file is not a regular file.
    #[error("{} is not a file; move it away or choose another --data-dir", .0.display())]
    NotAFile(PathBuf),
    /// The file is a link to the real one.
    #[error("{} is a link, and erasing would leave the file it points to; put the file itself there", .0.display())]
    Link(PathBuf),
    /// This user may not write there.
    #[error("cannot write to {}: {source}; let this user write there, or choose another --data-dir", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// Another process holds the file.
    #[error("{} is in use by another process; stop that one, or choose another --data-dir", .0.display())]
    Locked(PathBuf),
    /// The file was written by a build before this format.
    #[error(
        "{} was written by a taubenabwehr from before the first release, which this one cannot read: export its inquiries with that \
         one, and choose another --data-dir",
        .0.display()
    )]
    Former(PathBuf),
    /// The file is not ours.
    #[error("{} does not hold inquiries; move it away or choose another --data-dir", .0.display())]
    Foreign(PathBuf),
    /// The file is damaged.
    #[error(
        "{} is damaged ({reason}) and was left as it is; restore it from a backup, or move it away to begin anew",
        path.display()
    )]
    Corrupt { path: PathBuf, reason: String },
    /// Any other refusal of the operating system.
    #[error("cannot open {}: {source}; resolve that and start again", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The database cannot be reached, or a file named in its address cannot be used.
    #[error("{0}")]
    Database(String),
    /// The store's contents cannot be used.
    #[error("{place} cannot be used: {error}")]
    Unusable { place: String, error: EngineError },
    /// The system refuses a thread.
    #[error("cannot start the thread that writes inquiries: {0}; free some memory or raise the limit")]
    Thread(io::Error),
}

impl OpenError {
    /// Whether another process holds the store.
    pub fn is_in_use(&self) -> bool {
        matches!(self, Self::Locked(_))
    }

    /// Whether there is nothing to open.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::MissingDirectory(_) | Self::MissingFile(_))
    }
}

/// Explains what is wrong with a file.
pub fn explain(path: &Path, error: redb::Error) -> OpenError {
    let reason = match error {
        redb::Error::DatabaseAlreadyOpen => return OpenError::Locked(path.to_owned()),
        // A page lies beyond the end of the file.
        redb::Error::Io(error) if is_damage(&error) => error.to_string(),
        redb::Error::Io(error) => return refused(path, error),
        redb::Error::Corrupted(reason) => reason,
        other => other.to_string(),
    };
    OpenError::Corrupt {
        path: path.to_owned(),
        reason: one_line(&reason),
    }
}

fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::FileTooLarge
    )
}

/// Explains a refusal of the operating system.
pub fn refused(path: &Path, source: io::Error) -> OpenError {
    let path = path.to_owned();
    match source.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => OpenError::Unwritable { path, source },
        ErrorKind::NotADirectory => OpenError::NotADirectory(path),
        _ => OpenError::Io { path, source },
    }
}
