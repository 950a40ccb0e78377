//! Why a command about inquiries failed, in one line that says what to do.

use std::io;

use crate::control::client::AskError;
use crate::export::ExportError;
use crate::inquiry::InquiryName;
use crate::store::OpenError;

/// Why a command about inquiries failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The file of inquiries cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The server that has the store did not answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] ExportError),
    /// The store is damaged, or the database has gone away.
    #[error(
        "the inquiries cannot be read to the end: try again, and run `taubenabwehr check` if that does not help"
    )]
    Unreadable,
    /// The file cannot be written.
    #[error("the inquiries cannot be changed now: see that the disk has room, then try again")]
    Unwritable,
    /// There is no such inquiry.
    #[error("there is no inquiry with the id or reference {0}; `taubenabwehr inquiries` shows the ids")]
    Unknown(InquiryName),
    /// A reference is of more than one inquiry.
    #[error("the reference {0} is of more than one inquiry: {1}; name one by its whole id")]
    Ambiguous(InquiryName, String),
    /// It cannot happen.
    #[error("{0}, so nothing was changed; `taubenabwehr {1}` shows what there is")]
    Refused(String, &'static str),
    /// The operating system refused.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}
