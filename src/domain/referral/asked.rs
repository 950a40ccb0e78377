//! A firm that was asked, and its answer.

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::{EnumIs, IntoStaticStr};

use super::millis;
use super::review::Review;
use crate::domain::matching::{FirmId, FirmRotation};

/// How late a firm's mail may be without more time to answer: a moment more than sending takes.
const PROMPT: SignedDuration = SignedDuration::from_mins(5);

/// Which part of its time a firm has left when it is reminded: one in four.
const REMINDER_PART: i32 = 4;

fn reminder(answer_within: SignedDuration) -> Option<u32> {
    u32::try_from((answer_within / REMINDER_PART).as_secs()).ok()
}

/// A firm that was asked about an inquiry.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "millis::Epoch")]
pub struct Asked {
    /// Which one.
    #[n(0)]
    pub firm: FirmId,
    /// Since when.
    #[cbor(n(1), with = "millis")]
    pub at: Timestamp,
    /// When it is passed over unless it has answered.
    #[cbor(n(2), with = "millis")]
    pub until: Timestamp,
    /// What it answered.
    #[n(3)]
    pub answer: Answer,
    /// How many seconds before the end of its time it is reminded; `None` once it was.
    #[n(4)]
    pub reminder: Option<u32>,
    /// Its name when it accepted: it stays when the firm leaves the configuration.
    #[n(5)]
    pub name: Option<String>,
    /// The visitor's review; only of a firm that has accepted.
    #[n(6)]
    pub review: Option<Review>,
    /// Whether the operator had it asked by hand though it was paused: only a pause that begins later passes it on.
    #[n(7)]
    pub despite_pause: Option<bool>,
    /// Whether a pause has passed the question on, so that the firm had no time to answer.
    #[n(8)]
    pub passed_on_by_pause: Option<bool>,
}

/// What a firm answered.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, EnumIs, IntoStaticStr,
)]
#[cbor(context_bound = "millis::Epoch")]
#[strum(serialize_all = "lowercase")]
pub enum Answer {
    /// Nothing yet.
    #[n(0)]
    Pending,
    /// It takes the inquiry and has the visitor's contact data.
    #[n(1)]
    Accepted(#[cbor(n(0), with = "millis")] Timestamp),
    /// It does not take the inquiry.
    #[n(2)]
    Declined(#[cbor(n(0), with = "millis")] Timestamp),
    /// Nothing in time; it may still accept while a place is free.
    #[n(3)]
    Silent,
    /// Nothing, since its mail server has permanently refused the request.
    #[n(4)]
    Unreachable,
}

/// Whether the operator pauses a firm now, or has before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pausing {
    /// It is paused from now on.
    Begins,
    /// It is paused: what the operator had it asked by hand since then stays open.
    Goes,
}

impl Answer {
    /// Returns its name in the output of commands.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// Whether others were asked in its place, while it may still answer.
    pub fn is_passed_over(self) -> bool {
        matches!(self, Self::Silent | Self::Unreachable)
    }
}

impl Asked {
    /// Asks a firm now.
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

    /// Whether the request is open, and passed on because the firm is paused.
    pub fn is_passed_on(&self, pausing: Pausing) -> bool {
        self.answer == Answer::Pending && (pausing == Pausing::Begins || self.despite_pause != Some(true))
    }

    /// Whether a pause has passed the request on, rather than a timeout.
    pub fn was_paused(&self) -> bool {
        self.answer == Answer::Silent && self.passed_on_by_pause == Some(true)
    }

    /// Whether its answer is not awaited, because it is paused and was not asked by hand meanwhile.
    pub(super) fn is_paused(&self, rotation: &FirmRotation, now: Timestamp) -> bool {
        self.despite_pause != Some(true) && rotation.is_paused(&self.firm, now)
    }

    /// Moves the end of its time, and with it the reminder.
    pub(super) fn set_until(&mut self, until: Timestamp, answer_within: SignedDuration) {
        if until != self.until {
            self.until = until;
            self.reminder = reminder(answer_within);
        }
    }

    /// Returns the next time at which it is reminded or passed over, unless it answers.
    pub(super) fn due(&self) -> Timestamp {
        self.remind_at().unwrap_or(self.until)
    }

    /// Returns when it is reminded; `None` if it is not any more.
    pub(super) fn remind_at(&self) -> Option<Timestamp> {
        let before = SignedDuration::from_secs(self.reminder?.into());
        self.until.checked_sub(before).ok()
    }

    /// Returns when it accepted; `None` if it has not.
    pub fn accepted_at(&self) -> Option<Timestamp> {
        match self.answer {
            Answer::Accepted(at) => Some(at),
            Answer::Pending | Answer::Declined(_) | Answer::Silent | Answer::Unreachable => None,
        }
    }

    /// Returns its name when it accepted; its id if that is not known.
    pub fn accepted_name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.firm.as_str())
    }

    /// Returns until when it may answer if it gets its mail now: time only counts from there.
    pub fn until_if_told(&self, now: Timestamp, answer_within: SignedDuration) -> Timestamp {
        if now.duration_since(self.at) <= PROMPT {
            return self.until;
        }
        now.saturating_add(answer_within)
            .unwrap_or(self.until)
            .max(self.until)
    }

    /// Returns when the firm answered; `None` if it has not.
    pub fn answered_at(&self) -> Option<Timestamp> {
        match self.answer {
            Answer::Accepted(at) | Answer::Declined(at) => Some(at),
            Answer::Pending | Answer::Silent | Answer::Unreachable => None,
        }
    }

    /// Returns how long the firm took to answer; `None` if it has not.
    pub fn answered_after(&self) -> Option<SignedDuration> {
        Some(self.answered_at()?.duration_since(self.at))
    }
}
