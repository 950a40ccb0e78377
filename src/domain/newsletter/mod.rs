//! Newsletter subscriptions with double opt-in: nothing is stored permanently until the subscriber has confirmed with a link that
//! is sent only to their mailbox.

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::referral::{Delivery, DeliveryId, DeliveryState, Due, Lane, Message, millis};

/// How long the link in the confirmation mail works: long enough for a weekend.
pub const CONFIRM_WITHIN: SignedDuration = SignedDuration::from_hours(72);

/// A newsletter subscription.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Subscription {
    /// The subscriber's address.
    #[n(0)]
    pub email: String,
    /// Whether it is confirmed.
    #[n(1)]
    pub state: SubscriptionState,
    /// The confirmation mail.
    #[n(2)]
    pub delivery: Delivery,
    /// When it was first requested. Links confirm only a subscription with this time.
    #[cbor(n(3), with = "millis")]
    pub requested_at: Timestamp,
}

/// Whether a subscription is confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub enum SubscriptionState {
    /// It can be confirmed until this time.
    #[n(0)]
    Pending(#[cbor(n(0), with = "millis")] Timestamp),
    /// It was confirmed at this time.
    #[n(1)]
    Confirmed(#[cbor(n(0), with = "millis")] Timestamp),
}

impl Subscription {
    /// Creates a subscription that waits for confirmation.
    pub fn requested(email: String, now: Timestamp) -> Self {
        Self {
            email,
            state: SubscriptionState::Pending(now.saturating_add(CONFIRM_WITHIN).unwrap_or(now)),
            delivery: Delivery::new(Message::NewsletterConfirm, now),
            requested_at: now,
        }
    }

    /// Sends the mail again and extends the time to confirm. Links that were sent before keep working.
    #[must_use]
    pub fn requested_again(self, now: Timestamp) -> Self {
        Self {
            requested_at: self.requested_at,
            ..Self::requested(self.email, now)
        }
    }

    /// Whether it was requested at this time.
    pub fn is_of(&self, requested_at: Timestamp) -> bool {
        // Stores keep only milliseconds.
        self.requested_at.as_millisecond() == requested_at.as_millisecond()
    }

    /// The id of the confirmation mail. It differs between requests, since servers may drop a mail whose id they have already seen.
    pub fn delivery_id(&self, key: [u8; 16]) -> DeliveryId {
        let seconds = self.delivery.since.as_second().rem_euclid(1 << 16);
        DeliveryId {
            inquiry: Uuid::from_bytes(key),
            number: u16::try_from(seconds).unwrap_or_default(),
        }
    }

    /// Whether it is confirmed.
    pub fn is_confirmed(&self) -> bool {
        matches!(self.state, SubscriptionState::Confirmed(_))
    }

    /// Whether the link no longer works.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        matches!(self.state, SubscriptionState::Pending(until) if until <= now)
    }

    /// Confirms the subscription and cancels the mail if it is still open.
    pub fn confirm(&mut self, now: Timestamp) {
        self.state = SubscriptionState::Confirmed(now);
        if self.delivery.is_open() {
            self.delivery.state = DeliveryState::Cancelled;
        }
    }

    /// When each lane is next due.
    pub fn due(&self) -> Due {
        let mail = self.delivery.due().map(|due| (Lane::Mail, due));
        let clock = match self.state {
            SubscriptionState::Pending(until) => Some((Lane::Clock, until)),
            SubscriptionState::Confirmed(_) => None,
        };
        clock.into_iter().chain(mail).collect()
    }
}
