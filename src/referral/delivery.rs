//! A message on its way.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use minicbor::{Decode, Encode};
use uuid::Uuid;

use super::message::Message;
use super::millis;

/// A message on its way. Its number is its place in the referral's list and never changes.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
#[cbor(context_bound = "millis::Epoch")]
pub struct Delivery {
    /// What is sent, and to whom.
    #[n(0)]
    pub message: Message,
    /// Since when it is tried; an operator's retry starts anew.
    #[n(1)]
    #[cbor(with = "millis")]
    pub since: Timestamp,
    /// How often it was tried without success.
    #[n(2)]
    pub attempts: u16,
    /// What became of it.
    #[n(3)]
    pub state: DeliveryState,
    /// Why the last try failed, in one line without personal data.
    #[n(4)]
    pub reason: Option<String>,
}

/// What became of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
#[cbor(context_bound = "millis::Epoch")]
pub enum DeliveryState {
    /// It is tried next at this time.
    #[n(0)]
    Waiting(
        #[n(0)]
        #[cbor(with = "millis")]
        Timestamp,
    ),
    /// It was delivered at this time.
    #[n(1)]
    Delivered(
        #[n(0)]
        #[cbor(with = "millis")]
        Timestamp,
    ),
    /// It was given up at this time.
    #[n(2)]
    Failed(
        #[n(0)]
        #[cbor(with = "millis")]
        Timestamp,
    ),
    /// It is no longer needed.
    #[n(3)]
    Cancelled,
}

/// What came of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The recipient's server has taken it.
    Delivered,
    /// It did not work this time.
    Retry {
        /// When it is tried next.
        at: Timestamp,
        /// Why, in one line without personal data.
        reason: String,
    },
    /// It will not work.
    Failed {
        /// Why, in one line without personal data.
        reason: String,
    },
}

impl Delivery {
    /// Creates a delivery that is tried at once.
    pub fn new(message: Message, now: Timestamp) -> Self {
        Self {
            message,
            since: now,
            attempts: 0,
            state: DeliveryState::Waiting(now),
            reason: None,
        }
    }

    /// Returns when it is tried next; `None` if it is not.
    pub fn due(&self) -> Option<Timestamp> {
        match self.state {
            DeliveryState::Waiting(due) => Some(due),
            DeliveryState::Delivered(_) | DeliveryState::Failed(_) | DeliveryState::Cancelled => None,
        }
    }

    /// Notes what came of a try; returns whether that changes anything. One that was cancelled while it was on its way can
    /// have arrived, but is not tried again.
    pub fn settle(&mut self, outcome: &Outcome, now: Timestamp) -> bool {
        let is_wanted = self.due().is_some();
        match outcome {
            Outcome::Delivered => {
                self.state = DeliveryState::Delivered(now);
                self.reason = None;
            }
            Outcome::Retry { .. } | Outcome::Failed { .. } if !is_wanted => return false,
            Outcome::Retry { at, reason } => {
                self.attempts = self.attempts.saturating_add(1);
                self.state = DeliveryState::Waiting(*at);
                self.reason = Some(reason.clone());
            }
            Outcome::Failed { reason } => {
                self.attempts = self.attempts.saturating_add(1);
                self.state = DeliveryState::Failed(now);
                self.reason = Some(reason.clone());
            }
        }
        true
    }

    /// Returns whether the recipient may have it: a try that failed can have got through.
    pub fn may_have_arrived(&self) -> bool {
        matches!(self.state, DeliveryState::Delivered(_)) || self.attempts > 0
    }
}

impl DeliveryState {
    /// Returns its name in the output of commands.
    pub fn id(self) -> &'static str {
        match self {
            Self::Waiting(_) => "waiting",
            Self::Delivered(_) => "delivered",
            Self::Failed(_) => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What names a delivery for good: inquiry and number, as text `<uuid>-<number>`. Mails and webhooks carry it, so that
/// recipients recognise a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryId {
    /// The inquiry.
    pub inquiry: Uuid,
    /// The number among its deliveries.
    pub number: u16,
}

/// Why a text is not the id of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the id of a delivery, such as 019a3c5e-7b1c-7def-8000-0123456789ab-2")]
pub struct NotADeliveryId;

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.inquiry, self.number)
    }
}

impl FromStr for DeliveryId {
    type Err = NotADeliveryId;

    fn from_str(text: &str) -> Result<Self, NotADeliveryId> {
        let (inquiry, number) = text.rsplit_once('-').ok_or(NotADeliveryId)?;
        Ok(Self {
            inquiry: inquiry.parse().map_err(|_| NotADeliveryId)?,
            number: number.parse().map_err(|_| NotADeliveryId)?,
        })
    }
}
