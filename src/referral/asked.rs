//! A firm that was asked, and its answer.

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::millis;
use crate::matching::FirmId;

/// How late a firm's mail may be without more time to answer: a moment more than sending takes.
const PROMPT: SignedDuration = SignedDuration::from_mins(5);

/// A firm that was asked about an inquiry.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "millis::Epoch")]
pub struct Asked {
    /// Which one.
    #[n(0)]
    pub firm: FirmId,
    /// Since when.
    #[n(1)]
    #[cbor(with = "millis")]
    pub at: Timestamp,
    /// When it is passed over unless it has answered.
    #[n(2)]
    #[cbor(with = "millis")]
    pub until: Timestamp,
    /// What it answered.
    #[n(3)]
    pub answer: Answer,
}

/// What a firm answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "millis::Epoch")]
pub enum Answer {
    /// Nothing yet.
    #[n(0)]
    Pending,
    /// It takes the inquiry and has the visitor's contact data.
    #[n(1)]
    Accepted(
        #[n(0)]
        #[cbor(with = "millis")]
        Timestamp,
    ),
    /// It does not take the inquiry.
    #[n(2)]
    Declined(
        #[n(0)]
        #[cbor(with = "millis")]
        Timestamp,
    ),
    /// Nothing in time; it may still accept while a place is free.
    #[n(3)]
    Silent,
}

impl Answer {
    /// Returns its name in the output of commands.
    pub fn id(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted(_) => "accepted",
            Self::Declined(_) => "declined",
            Self::Silent => "silent",
        }
    }

    /// Returns whether the firm has the visitor's contact data.
    pub fn is_accepted(self) -> bool {
        matches!(self, Self::Accepted(_))
    }
}

impl Asked {
    /// Returns until when it may answer if it gets its mail now: nobody answers a question that has not arrived.
    pub fn until_if_told(&self, now: Timestamp, answer_within: SignedDuration) -> Timestamp {
        if now.duration_since(self.at) <= PROMPT {
            return self.until;
        }
        now.saturating_add(answer_within)
            .unwrap_or(self.until)
            .max(self.until)
    }

    /// Returns how long the firm took to answer; `None` if it has not.
    pub fn answered_after(&self) -> Option<jiff::SignedDuration> {
        match self.answer {
            Answer::Accepted(at) | Answer::Declined(at) => Some(at.duration_since(self.at)),
            Answer::Pending | Answer::Silent => None,
        }
    }
}
