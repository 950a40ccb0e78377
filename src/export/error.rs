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
    /// The server that has the file gave no answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The file of inquiries turned out to be damaged.
    #[error("the inquiries cannot be read to the end, the file is damaged: restore it from a backup")]
    Damaged,
    /// The server sent what is no inquiry.
    #[error("the server sent what is no inquiry; is it of the same version as this program?")]
    Strange,
    /// The output cannot be written.
    #[error("cannot write {to}: {source}; make room there, or choose another --output")]
    Output { to: String, source: io::Error },
    /// The output is a directory.
    #[error("{} is a directory; name a file in it as --output", .0.display())]
    Directory(PathBuf),
    /// The system gave no way to be told of signals.
    #[error("cannot watch for signals: {0}; try again")]
    Signals(io::Error),
    /// A signal asked to end.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The workbook cannot be made.
    #[error("cannot make the workbook: {0}; make room for temporary files, or try another --format")]
    Workbook(String),
}

impl ExportError {
    /// Whether the reader of our standard output went away.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output { source, .. } if source.kind() == ErrorKind::BrokenPipe)
    }
}
