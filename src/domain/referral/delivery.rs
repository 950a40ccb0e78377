//! A delivery: a message to be sent, and its attempts.

use std::fmt;
use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::{EnumIs, IntoStaticStr};
use uuid::Uuid;

use super::message::Message;
use super::millis;
use crate::base::text::Malformed;
use crate::domain::inquiry::PartName;

/// A message to be sent. Its number is its index in the referral's list and never changes.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Delivery {
    /// The message and its recipient.
    #[n(0)]
    pub message: Message,
    /// When it was created.
    #[cbor(n(1), with = "millis")]
    pub since: Timestamp,
    /// The total number of failed attempts.
    #[n(2)]
    pub attempts: u16,
    /// Its state.
    #[n(3)]
    pub state: DeliveryState,
    /// Why the last attempt failed, in one line without personal data.
    #[n(4)]
    pub reason: Option<String>,
    /// How far the message got in the failed attempts; `None` before the first.
    #[n(5)]
    pub certainty: Option<DeliveryCertainty>,
    /// The current round of attempts; `None` while all attempts belong to one round.
    #[n(6)]
    pub round: Option<Round>,
}

/// How far a message got in the failed attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, Serialize, Deserialize)]
#[cbor(index_only)]
pub enum DeliveryCertainty {
    /// It did not leave this machine or was refused: the recipient does not have it.
    #[n(0)]
    NotTaken,
    /// It was sent and may have been accepted.
    #[n(1)]
    MayBeTaken,
}

/// Attempts with a common backoff: pauses grow from the first attempt, and attempts end some time after the round began. A new
/// round begins when the operator retries, and after a time in which nothing could be attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Round {
    /// When it began.
    #[cbor(n(0), with = "millis")]
    pub since: Timestamp,
    /// The number of failed attempts in the round.
    #[n(1)]
    pub attempts: u16,
}

impl Round {
    /// Begins a round.
    pub fn begin(now: Timestamp) -> Self {
        Self {
            since: now,
            attempts: 0,
        }
    }
}

/// How long a delivery may be overdue before a new round begins: longer than any pause, so this machine was off or overloaded.
const MISSED: SignedDuration = SignedDuration::from_hours(6);

/// The state of a delivery.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize, EnumIs, IntoStaticStr,
)]
#[cbor(context_bound = "Copy + Into<i64>")]
#[strum(serialize_all = "lowercase")]
pub enum DeliveryState {
    /// The next attempt is at this time.
    #[n(0)]
    Waiting(#[cbor(n(0), with = "millis")] Timestamp),
    /// It was delivered at this time.
    #[n(1)]
    Delivered(#[cbor(n(0), with = "millis")] Timestamp),
    /// Attempts ended without success at this time.
    #[n(2)]
    Failed(#[cbor(n(0), with = "millis")] Timestamp),
    /// No longer needed.
    #[n(3)]
    Cancelled,
    /// It was waiting when the store was restored from a backup, at this time. It may have been sent since the backup was made, so
    /// it is only attempted if the operator retries it.
    #[n(4)]
    Held(#[cbor(n(0), with = "millis")] Timestamp),
}

/// The outcome of an attempt: success once the recipient's server has accepted the message.
pub type Outcome = Result<(), Failure>;

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The reason, in one line without personal data.
    pub reason: String,
    /// How far the message got.
    pub certainty: DeliveryCertainty,
    /// When it is retried; `None` if it is given up.
    pub retry_at: Option<Timestamp>,
    /// The address of a firm, if its mail server permanently refuses it.
    pub refused: Option<String>,
}

impl Delivery {
    /// Creates a delivery that is due at once.
    pub fn new(message: Message, now: Timestamp) -> Self {
        Self {
            message,
            since: now,
            attempts: 0,
            state: DeliveryState::Waiting(now),
            reason: None,
            certainty: None,
            round: None,
        }
    }

    /// When the next attempt is due; `None` if there is no next attempt.
    pub fn due(&self) -> Option<Timestamp> {
        match self.state {
            DeliveryState::Waiting(due) => Some(due),
            DeliveryState::Delivered(_)
            | DeliveryState::Failed(_)
            | DeliveryState::Cancelled
            | DeliveryState::Held(_) => None,
        }
    }

    /// Whether it may still be sent, automatically or on the operator's request, and has not failed.
    pub fn is_open(&self) -> bool {
        self.state.is_waiting() || self.state.is_held()
    }

    /// Holds it back if it is waiting, since it may have been sent after the backup was made.
    pub fn hold(&mut self, now: Timestamp) {
        if let DeliveryState::Waiting(_) = self.state {
            self.state = DeliveryState::Held(now);
            self.certainty = Some(DeliveryCertainty::MayBeTaken);
        }
    }

    /// The current round as of `now`.
    pub fn round_at(&self, now: Timestamp) -> Round {
        match self.state {
            DeliveryState::Waiting(due) if now.duration_since(due) > MISSED => Round::begin(now),
            _ => self.round.unwrap_or(Round {
                since: self.since,
                attempts: self.attempts,
            }),
        }
    }

    /// Starts a new round at once if it waits for a later time, is held or has failed; returns whether it does.
    pub fn retry(&mut self, now: Timestamp) -> bool {
        let is_open = match self.state {
            DeliveryState::Failed(_) | DeliveryState::Held(_) => true,
            DeliveryState::Waiting(due) => due > now,
            DeliveryState::Delivered(_) | DeliveryState::Cancelled => false,
        };
        if is_open {
            self.state = DeliveryState::Waiting(now);
            self.round = Some(Round::begin(now));
        }
        is_open
    }

    /// Whether the operator retried it and no attempt has followed.
    pub fn was_retried(&self) -> bool {
        match (self.state, self.round) {
            (DeliveryState::Waiting(due), Some(round)) => round.since == due && round.attempts == 0,
            _ => false,
        }
    }

    /// Records the result of an attempt; returns whether that changes anything. A delivery cancelled during the attempt may have
    /// arrived but is not retried. With `is_retaken`, the process that made the attempt ended before recording its result, so that
    /// the message may have been sent.
    pub fn settle(&mut self, outcome: &Outcome, now: Timestamp, is_retaken: bool) -> bool {
        let is_wanted = self.due().is_some();
        let failure = match outcome {
            Ok(()) => {
                self.state = DeliveryState::Delivered(now);
                self.reason = None;
                return true;
            }
            Err(_) if !is_wanted => return false,
            Err(failure) => failure,
        };
        self.certainty = Some(if self.may_have_arrived(is_retaken) {
            DeliveryCertainty::MayBeTaken
        } else {
            failure.certainty
        });
        let round = self.round_at(now);
        let is_first = self.round.is_none() && round.since == self.since;
        self.round = (!is_first).then_some(Round {
            attempts: round.attempts.saturating_add(1),
            ..round
        });
        self.attempts = self.attempts.saturating_add(1);
        self.reason = Some(failure.reason.clone());
        self.state = failure
            .retry_at
            .map_or(DeliveryState::Failed(now), DeliveryState::Waiting);
        true
    }

    /// Whether the recipient may have the message.
    pub fn may_have_arrived(&self, is_retaken: bool) -> bool {
        match (self.state, self.certainty) {
            (DeliveryState::Delivered(_), _) | (_, Some(DeliveryCertainty::MayBeTaken)) => true,
            (DeliveryState::Waiting(_), _) if is_retaken => true,
            (_, Some(DeliveryCertainty::NotTaken)) => false,
            (_, None) => self.attempts > 0,
        }
    }
}

impl DeliveryState {
    /// Whether the operator may retry it.
    pub fn can_be_retried(&self) -> bool {
        self.is_waiting() || self.is_held() || self.is_failed()
    }

    /// The name used in the output of commands.
    pub fn id(self) -> &'static str {
        self.into()
    }
}

/// The permanent id of a delivery: inquiry and number, written `<uuid>-<number>`. Mails and webhooks carry it, so that recipients
/// can recognise duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeliveryId {
    /// The inquiry.
    pub inquiry: Uuid,
    /// The number among its deliveries.
    pub number: u16,
}

/// The error for text that does not name a delivery.
const NO_DELIVERY_NAME: Malformed = Malformed(
    "expected the id of a delivery, such as 019a3c5e-7b1c-7def-8000-0123456789ab-2, its end from the reference on, such as \
     0123456789ab-2, or the id or reference of an inquiry for all of its deliveries",
);

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.inquiry, self.number)
    }
}

/// A delivery as operators name it: by inquiry and number, or all deliveries of an inquiry.
pub type DeliveryName = PartName<u16>;

impl FromStr for DeliveryName {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        Self::parse(text, |number| number.parse().ok()).ok_or(NO_DELIVERY_NAME)
    }
}
