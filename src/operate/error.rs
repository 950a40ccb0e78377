//! Why a request was not carried out; each in one line that says what to do.

use std::io;
use std::path::PathBuf;

use crate::store::OpenError;

/// Why whoever has the store did not carry out a request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// It cannot be read.
    #[error("the store cannot be read now")]
    Unreadable,
    /// It cannot be written.
    #[error("the store cannot be written now: see that the disk has room, then try again")]
    Unwritable,
    /// The store says why.
    #[error("{0}")]
    Failed(String),
}

/// Why a command has no reply, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No server listens, or it ended before it responded.
    #[error("no server listens on the control socket: {0}")]
    NoServer(String),
    /// The server refused.
    #[error("the server refused: {0}; see its log")]
    Refused(String),
    /// The reply broke off.
    #[error("the server broke off: {0}; try again, and see its log")]
    Broken(String),
    /// The reply is of another version.
    #[error("the server sent something that is not understood; is it of the same version as this program?")]
    Strange,
    /// This user may not reach the server, nor enter its directory.
    #[error("cannot use {}: {source}; run this as the user of the server, or check --data-dir", data_dir.display())]
    #[allow(missing_docs, reason = "the message says what the fields are")]
    Denied { data_dir: PathBuf, source: io::Error },
    /// The operating system refused.
    #[error("cannot ask the server: {0}")]
    System(#[from] io::Error),
    /// There is no server, and the store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The store is damaged, or the database has gone away.
    #[error(
        "the inquiries cannot be read to the end: try again, and run `taubenabwehr check` if that does not help"
    )]
    Unreadable,
    /// The store cannot be written.
    #[error("the inquiries cannot be changed now: see that the disk has room, then try again")]
    Unwritable,
    /// The store says why.
    #[error("{0}")]
    Failed(String),
}

/// For a store that the command has opened itself.
impl From<RequestError> for AskError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Unreadable => Self::Unreadable,
            RequestError::Unwritable => Self::Unwritable,
            RequestError::Failed(reason) => Self::Failed(reason),
        }
    }
}
