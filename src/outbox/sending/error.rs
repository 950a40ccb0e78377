//! Errors of delivery attempts.

use std::fmt;

use crate::domain::referral::DeliveryCertainty;

/// Whether a retry can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendErrorKind {
    /// It may work later, or once the operator has corrected something.
    Transient,
    /// The other side permanently refuses the message, or it cannot be sent at all.
    Permanent,
    /// The mail server permanently refuses the recipient's address.
    NoMailbox,
}

/// Error of a delivery attempt: one line for the operator. It names no person and does not quote the server, since servers often
/// repeat the recipient's address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SendError {
    /// Whether a retry can help.
    pub kind: SendErrorKind,
    /// What happened.
    pub reason: String,
    /// How far the message got.
    pub certainty: DeliveryCertainty,
    /// The mail server's reply, for `mail test`. It is neither stored nor logged.
    pub answer: Option<String>,
}

impl SendError {
    /// A failure that a retry may overcome.
    pub fn transient(reason: impl fmt::Display) -> Self {
        Self {
            kind: SendErrorKind::Transient,
            reason: reason.to_string(),
            certainty: DeliveryCertainty::NotTaken,
            answer: None,
        }
    }

    /// A failure that no retry will overcome.
    pub fn permanent(reason: impl fmt::Display) -> Self {
        Self {
            kind: SendErrorKind::Permanent,
            ..Self::transient(reason)
        }
    }

    /// Marks the message as sent and possibly accepted.
    #[must_use]
    pub fn perhaps_taken(self) -> Self {
        Self {
            certainty: DeliveryCertainty::MayBeTaken,
            ..self
        }
    }
}
