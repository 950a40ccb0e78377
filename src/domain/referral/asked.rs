//! A firm that was asked about an inquiry, and its answer.

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::{EnumIs, IntoStaticStr};

use super::millis;
use super::review::Review;
use crate::domain::matching::{FirmId, FirmRotation};

/// The delay of a firm's mail that does not extend its time to answer: slightly longer than sending takes.
const PROMPT: SignedDuration = SignedDuration::from_mins(5);

/// The fraction of a firm's time that is left when it is reminded: one quarter.
const REMINDER_PART: i32 = 4;

fn reminder(answer_within: SignedDuration) -> Option<u32> {
    u32::try_from((answer_within / REMINDER_PART).as_secs()).ok()
}

/// A firm that was asked about an inquiry.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Asked {
    /// The firm.
    #[n(0)]
    pub firm: FirmId,
    /// When it was asked.
    #[cbor(n(1), with = "millis")]
    pub at: Timestamp,
    /// When it is passed over unless it has answered.
    #[cbor(n(2), with = "millis")]
    pub until: Timestamp,
    /// Its answer.
    #[n(3)]
    pub answer: Answer,
    /// How many seconds before the end of its time it is reminded; `None` once it was.
    #[n(4)]
    pub reminder: Option<u32>,
    /// Its name when it accepted, kept in case the firm leaves the configuration.
    #[n(5)]
    pub name: Option<String>,
    /// The visitor's review, only for a firm that has accepted.
    #[n(6)]
    pub review: Option<Review>,
    /// Whether the operator had it asked although it was paused: only a later pause passes on the request.
    #[n(7)]
    pub despite_pause: Option<bool>,
    /// Whether a pause passed on the request, so that the firm had no time to answer.
    #[n(8)]
    pub passed_on_by_pause: Option<bool>,
}

/// A firm's answer.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, EnumIs, IntoStaticStr,
)]
#[cbor(context_bound = "Copy + Into<i64>")]
#[strum(serialize_all = "lowercase")]
pub enum Answer {
    /// None yet.
    #[n(0)]
    Pending,
    /// The firm takes the inquiry and has the visitor's contact details.
    #[n(1)]
    Accepted(#[cbor(n(0), with = "millis")] Timestamp),
    /// The firm does not take the inquiry.
    #[n(2)]
    Declined(#[cbor(n(0), with = "millis")] Timestamp),
    /// None in time. The firm may still accept while a place is free.
    #[n(3)]
    Silent,
    /// None, because the firm's mail server permanently refused the request.
    #[n(4)]
    Unreachable,
}

/// Whether a firm's pause begins now or began earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pausing {
    /// The firm is paused from now on.
    Begins,
    /// The firm is already paused. Requests that the operator sent by hand since then stay open.
    Goes,
}

impl Answer {
    /// The name used in the output of commands.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// Whether other firms are asked instead, although this one may still answer.
    pub fn is_passed_over(self) -> bool {
        matches!(self, Self::Silent | Self::Unreachable)
    }
}

impl Asked {
    /// A request to a firm, as of now.
    pub(super) fn new(firm: FirmId, now: Timestamp, answer_within: SignedDuration) -> Self {
        Self {
            firm,
            at: now,
            until: now.saturating_add(answer_within).unwrap_or(now),
            answer: Answer::Pending,
            reminder: reminder(answer_within),
            name: None,
            review: None,
            despite_pause: None,
            passed_on_by_pause: None,
        }
    }

    /// Whether the request is open and has to be passed on because the firm is paused.
    pub fn is_passed_on(&self, pausing: Pausing) -> bool {
        self.answer == Answer::Pending && (pausing == Pausing::Begins || self.despite_pause != Some(true))
    }

    /// Whether the request was passed on by a pause rather than a timeout.
    pub fn was_paused(&self) -> bool {
        self.answer == Answer::Silent && self.passed_on_by_pause == Some(true)
    }

    /// Whether no answer is awaited because the firm is paused and was not asked by hand since.
    pub(super) fn is_paused(&self, rotation: &FirmRotation, now: Timestamp) -> bool {
        self.despite_pause != Some(true) && rotation.is_paused(&self.firm, now)
    }

    /// Moves the end of its time, and the reminder with it.
    pub(super) fn set_until(&mut self, until: Timestamp, answer_within: SignedDuration) {
        if until != self.until {
            self.until = until;
            self.reminder = reminder(answer_within);
        }
    }

    /// When the firm is next reminded or passed over, unless it answers.
    pub(super) fn due(&self) -> Timestamp {
        self.remind_at().unwrap_or(self.until)
    }

    /// When the firm is reminded; `None` if no reminder is left.
    pub(super) fn remind_at(&self) -> Option<Timestamp> {
        let before = SignedDuration::from_secs(self.reminder?.into());
        self.until.checked_sub(before).ok()
    }

    /// When the firm accepted; `None` if it has not.
    pub fn accepted_at(&self) -> Option<Timestamp> {
        match self.answer {
            Answer::Accepted(at) => Some(at),
            Answer::Pending | Answer::Declined(_) | Answer::Silent | Answer::Unreachable => None,
        }
    }

    /// The firm's name when it accepted, or its id if the name is unknown.
    pub fn accepted_name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.firm.as_str())
    }

    /// The end of the firm's time if its mail is delivered now: the time runs from delivery.
    pub fn until_if_told(&self, now: Timestamp, answer_within: SignedDuration) -> Timestamp {
        if now.duration_since(self.at) <= PROMPT {
            return self.until;
        }
        now.saturating_add(answer_within)
            .unwrap_or(self.until)
            .max(self.until)
    }

    /// When the firm answered; `None` if it has not.
    pub fn answered_at(&self) -> Option<Timestamp> {
        match self.answer {
            Answer::Accepted(at) | Answer::Declined(at) => Some(at),
            Answer::Pending | Answer::Silent | Answer::Unreachable => None,
        }
    }

    /// How long the firm took to answer; `None` if it has not answered.
    pub fn answered_after(&self) -> Option<SignedDuration> {
        Some(self.answered_at()?.duration_since(self.at))
    }
}
