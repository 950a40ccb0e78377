//! Why an export failed, as one line that says what to do.

use std::io::{self, ErrorKind};

use crate::operate::CallError;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Whoever has the store did not hand the inquiries out.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The output cannot be written; it names itself.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// The workbook cannot be written.
    #[error("cannot write the workbook: {0}; make room for temporary files, or try another --format")]
    Workbook(String),
}

/// What output to a pipe, a terminal or a redirection is called.
pub const STANDARD_OUTPUT: &str = "standard output";

/// Adds to an error which output cannot be written, and what to do.
pub fn output_error(to: &str, source: &io::Error) -> io::Error {
    let advice = match source.kind() {
        // Of the commands that print lists, only one has --output.
        _ if to == STANDARD_OUTPUT => "make room there, or send it elsewhere",
        ErrorKind::PermissionDenied => "let this user write there, or choose another --output",
        _ => "make room there, or choose another --output",
    };
    let message = match source.kind() {
        ErrorKind::IsADirectory => format!("{to} is a directory; name a file in it as --output"),
        _ => format!("cannot write {to}: {source}; {advice}"),
    };
    io::Error::new(source.kind(), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_fits_the_reason_and_the_place() {
        let error = |to: &str, kind: ErrorKind| output_error(to, &kind.into()).to_string();
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
