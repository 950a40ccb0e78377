//! An entry of the ledger.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::commission::{Euro, Outcome, Terms};
use crate::domain::inquiry::{received, reference};
use crate::domain::matching::FirmId;

/// For how long after the acceptance the firm can report the outcome.
pub const CHANGEABLE: SignedDuration = SignedDuration::from_hours(90 * 24);

/// An acceptance, as it is billed. It holds no personal data: the id of the inquiry tells when it was received, and nothing else once the
/// inquiry is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// The id of the inquiry.
    pub inquiry: Uuid,
    /// The firm.
    pub firm: FirmId,
    /// Its name when it accepted.
    pub name: String,
    /// When it accepted, to the millisecond.
    pub at: Timestamp,
    /// The price of accepting that the firm was shown.
    pub terms: Terms,
    /// The outcome that it reports.
    pub outcome: Outcome,
}

/// Why an outcome is not noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OutcomeRefusal {
    /// The firm has not accepted.
    #[error("the firm has not accepted the inquiry")]
    Unknown,
    /// The month of the acceptance is closed.
    #[error("the month of the acceptance is closed")]
    Closed,
    /// It accepted too long ago.
    #[error("the firm accepted the inquiry more than 90 days ago")]
    TooLate,
}

impl Acceptance {
    /// Returns the inquiry's reference.
    pub fn reference(&self) -> String {
        reference(self.inquiry)
    }

    /// Returns when the inquiry was received.
    pub fn received(&self) -> Option<Timestamp> {
        received(self.inquiry)
    }

    /// Returns what is owed for it.
    pub fn commission(&self) -> Euro {
        self.terms.commission(self.outcome)
    }

    /// Whether the firm may still report the outcome, unless the month is closed.
    pub fn is_changeable(&self, now: Timestamp) -> bool {
        now.duration_since(self.at) < CHANGEABLE
    }
}
