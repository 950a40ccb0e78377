//! Why an export failed, as one line that says what to do.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use crate::control::client::AskError;
use crate::store::OpenError;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ExportError {
    /// The file of inquiries cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The operating system refused.
    #[error("cannot start: {0}")]
    System(#[source] io::Error),
    /// The server that has the file did not answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The store is damaged, or the database has gone away.
    #[error(
        "the inquiries cannot be read to the end: try again, and run `taubenabwehr check` if that does not help"
    )]
    Unreadable,
    /// The server sent something else than an inquiry.
    #[error("the server sent a line that is not an inquiry; is it of the same version as this program?")]
    Strange,
    /// The output cannot be written.
    #[error("cannot write {to}: {source}; make room there, or choose another --output")]
    Output { to: String, source: io::Error },
    /// The output is a directory.
    #[error("{} is a directory; name a file in it as --output", .0.display())]
    Directory(PathBuf),
    /// The system does not report signals.
    #[error("cannot watch for signals: {0}; try again")]
    Signals(io::Error),
    /// A signal asked to end.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The workbook cannot be written.
    #[error("cannot write the workbook: {0}; make room for temporary files, or try another --format")]
    Workbook(String),
}

impl ExportError {
    /// Returns whether the reader of our standard output has gone away.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output { source, .. } if source.kind() == ErrorKind::BrokenPipe)
    }
}
