//! Why an export failed, as one line that says what to do.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::operate::CallError;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ExportError {
    /// Whoever has the store did not hand the inquiries out.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The output cannot be written.
    #[error("cannot write {to}: {source}; {}", advice(to, source))]
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

/// What output to a pipe, a terminal or a redirection is called.
pub const STANDARD_OUTPUT: &str = "standard output";

fn advice(to: &str, source: &io::Error) -> &'static str {
    match source.kind() {
        // Of the commands that print lists, only one has --output.
        _ if to == STANDARD_OUTPUT => "make room there, or send it elsewhere",
        ErrorKind::PermissionDenied => "let this user write there, or choose another --output",
        _ => "make room there, or choose another --output",
    }
}

impl ExportError {
    /// Describes a file that cannot be written.
    pub fn output(path: &Path, source: io::Error) -> Self {
        let to = path.display().to_string();
        Self::Output { to, source }
    }

    /// Returns whether the reader of our standard output has gone away.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output { source, .. } if source.kind() == ErrorKind::BrokenPipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_fits_the_reason_and_the_place() {
        let error = |to: &str, kind: ErrorKind| {
            let (to, source) = (to.to_owned(), kind.into());
            ExportError::Output { to, source }.to_string()
        };
        let denied = error("out.csv", ErrorKind::PermissionDenied);
        assert!(denied.contains("let this user write there"), "{denied}");
        let full = error("out.csv", ErrorKind::StorageFull);
        assert!(
            full.ends_with("make room there, or choose another --output"),
            "{full}"
        );
        let full = error(STANDARD_OUTPUT, ErrorKind::StorageFull);
        assert!(full.contains("make room") && !full.contains("--output"), "{full}");
    }
}
