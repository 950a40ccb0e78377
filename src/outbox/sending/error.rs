//! Why a try to deliver something failed.

use std::fmt;

use crate::domain::referral::DeliveryCertainty;

/// Whether another try can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Later it may work, or once the operator has corrected something.
    Transient,
    /// The other side permanently refuses it, or it cannot be sent at all.
    Permanent,
    /// The mail server permanently refuses the recipient's address.
    NoMailbox,
}

/// Why a try failed: one line for the operator. It names no person and repeats nothing that a server answered, since
/// servers like to repeat the recipient's address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SendError {
    /// Whether another try can help.
    pub kind: Kind,
    /// What happened.
    pub reason: String,
    /// How far the message came.
    pub certainty: DeliveryCertainty,
    /// What a mail server answered, for who tests it. It is neither stored nor logged.
    pub answer: Option<String>,
}

impl SendError {
    /// Describes a failure that another try may overcome.
    pub fn transient(reason: impl fmt::Display) -> Self {
        Self {
            kind: Kind::Transient,
            reason: reason.to_string(),
            certainty: DeliveryCertainty::NotTaken,
            answer: None,
        }
    }

    /// Describes a failure that no try will overcome.
    pub fn permanent(reason: impl fmt::Display) -> Self {
        Self {
            kind: Kind::Permanent,
            reason: reason.to_string(),
            certainty: DeliveryCertainty::NotTaken,
            answer: None,
        }
    }

    /// Describes the refusal of the recipient's address.
    pub fn no_mailbox(reason: impl fmt::Display) -> Self {
        Self {
            kind: Kind::NoMailbox,
            ..Self::permanent(reason)
        }
    }

    /// Whether no other try can help.
    pub fn is_permanent(&self) -> bool {
        self.kind != Kind::Transient
    }

    /// Adds what the server answered.
    #[must_use]
    pub fn with_answer(self, answer: String) -> Self {
        Self {
            answer: Some(answer),
            ..self
        }
    }

    /// Adds that the message was sent, and may have been taken.
    #[must_use]
    pub fn perhaps_taken(self) -> Self {
        Self {
            certainty: DeliveryCertainty::MayBeTaken,
            ..self
        }
    }
}
