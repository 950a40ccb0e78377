//! What can go wrong with the store: when it is opened, and afterwards.

use std::io;
use std::path::PathBuf;

use super::schema;
use crate::quiet;

/// Why the store cannot be opened; shown as one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum OpenError {
    /// The data directory is missing and must not be made.
    #[error("the data directory {} does not exist; check --data-dir", .0.display())]
    MissingDirectory(PathBuf),
    /// The file is missing and must not be made.
    #[error("there is no file {}; check --data-dir, or start the server once", .0.display())]
    MissingFile(PathBuf),
    /// The data directory is something else.
    #[error("{} is not a directory; choose another --data-dir", .0.display())]
    NotADirectory(PathBuf),
    /// The file is something else, such as a directory.
    #[error("{} is not a file; move it away or choose another --data-dir", .0.display())]
    NotAFile(PathBuf),
    /// The file is a link to the real one.
    #[error("{} is a link, and what it leads to would stay; put the file itself there", .0.display())]
    Link(PathBuf),
    /// This user may not write there.
    #[error("cannot write to {}: {source}; let this user write there, or choose another --data-dir", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// Another process has the file.
    #[error("{} is in use by another process; stop that one, or choose another --data-dir", .0.display())]
    Locked(PathBuf),
    /// The file has a schema from the future.
    #[error(
        "{} was written by a newer taubenabwehr (schema {found}, this one knows up to {}); update this program",
        path.display(),
        schema::CURRENT
    )]
    Newer { path: PathBuf, found: u64 },
    /// The file is no store of ours.
    #[error("{} does not hold inquiries; move it away or choose another --data-dir", .0.display())]
    Foreign(PathBuf),
    /// The file is damaged.
    #[error(
        "{} is damaged ({reason}) and was left as it is; restore it from a backup, or move it away to begin anew",
        path.display()
    )]
    Corrupt { path: PathBuf, reason: String },
    /// The operating system gave no thread.
    #[error("cannot start the thread that writes inquiries: {source}; free some memory or raise the limit")]
    Thread { source: io::Error },
    /// The operating system refused something else.
    #[error("cannot {doing} {}: {source}; mend that and start again", path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

/// Why an inquiry was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InsertError {
    /// The idempotency key came with another request before.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The store cannot take it now: too much to do, a full or failing disk, or closed.
    #[error("the store is unavailable")]
    Unavailable,
}

/// The store cannot be read or written now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store is unavailable")]
pub struct Unavailable;

impl Unavailable {
    /// Logs why the file cannot be read; the caller only hears that it cannot.
    pub(super) fn told(error: &redb::Error) -> Self {
        tracing::error!(%error, "inquiries cannot be read");
        Self
    }
}

/// Runs a call into redb; a panic, as on some damaged files, is one more error that it can give.
pub(super) fn attempt<T>(call: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, redb::Error> {
    quiet::catch(call).unwrap_or_else(|panic| Err(redb::Error::Corrupted(panic)))
}

impl From<Unavailable> for InsertError {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}
