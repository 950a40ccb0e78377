//! The state of an inquiry's referral to operator and firms.

use jiff::{SignedDuration, Timestamp};
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use uuid::Uuid;

use super::asked::{Answer, Asked};
use super::casework::Casework;
use super::delivery::{Delivery, DeliveryState};
use super::message::{Due, Lane, Message};
use super::millis;
use super::photos::PhotoList;
use super::policy::HandlingPolicy;
use crate::domain::inquiry::{Answers, FieldDigest, Suspicion};
use crate::domain::matching::FirmId;

/// The maximum length of an addition in characters.
pub const MAX_ADDITION: usize = crate::domain::inquiry::limits::ADDITION;

/// How long the private page of a withdrawn inquiry is kept and shows the withdrawal.
pub const KEPT_AFTER_WITHDRAWAL: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The data of a new inquiry besides its fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewReferral {
    /// The number of the consent sentence shown above the form's button; `None` for clients without the form.
    pub consent: Option<u16>,
    /// The text for firms beyond the fields; at most [`MAX_ADDITION`] characters.
    pub addition: String,
    /// Whether the operator is notified that the inquiry is held back.
    pub is_held_told: bool,
}

/// The referral of an inquiry to the operator and to firms. The default applies to an inquiry without a stored referral.
#[derive(Debug, Clone, PartialEq, Eq, Default, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Referral {
    /// The stage of the referral.
    #[n(0)]
    pub status: Status,
    /// The number of the consent sentence shown above the form's button.
    #[n(1)]
    pub consent: Option<u16>,
    /// The text for firms beyond the fields.
    #[n(2)]
    pub addition: String,
    /// The firms that were asked, in order; at most 256.
    #[n(3)]
    pub asked: Vec<Asked>,
    /// All deliveries, in order.
    #[n(4)]
    pub deliveries: Vec<Delivery>,
    /// Whether the operator was notified that no firm takes the inquiry.
    #[n(5)]
    pub is_unmatched: bool,
    /// The visitor's photos; `None` if there never were any. The images are stored separately.
    #[n(6)]
    pub photos: Option<PhotoList>,
    /// The operator's work on it; `None` if there was none.
    #[n(7)]
    pub casework: Option<Casework>,
    /// The withdrawal of the consent to be called. The sentence is kept as proof of earlier calls.
    #[n(8)]
    pub calls_revoked: Option<Revocation>,
}

/// The visitor's withdrawal of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub struct Revocation {
    /// When it was withdrawn.
    #[cbor(n(0), with = "millis")]
    pub at: Timestamp,
}

/// The stage of a referral.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Encode, Decode, Serialize, Deserialize)]
#[cbor(context_bound = "Copy + Into<i64>")]
pub enum Status {
    /// Active.
    #[n(0)]
    #[default]
    Active,
    /// Suspected spam, waiting for the operator; the reason is unknown if an older version has stored it.
    #[n(1)]
    Quarantined(#[n(0)] Option<Suspicion>),
    /// Released by the operator; firms are asked at the next clock tick.
    #[n(2)]
    Released(#[cbor(n(0), with = "millis")] Timestamp),
    /// Withdrawn by the visitor.
    #[n(3)]
    Withdrawn(#[cbor(n(0), with = "millis")] Timestamp),
    /// Erased; only notices to firms remain.
    #[n(4)]
    Erased(#[cbor(n(0), with = "millis")] Timestamp),
    /// Not an inquiry but a mail to the operator about several, as of this time.
    #[n(5)]
    Notice(#[cbor(n(0), with = "millis")] Timestamp),
}

/// The state of an inquiry as one word, for lists and exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum State {
    /// Suspected spam, waiting for the operator.
    Suspected,
    /// Stored; no firm was asked.
    Received,
    /// At least one firm was asked.
    Asked,
    /// At least one firm has accepted.
    Accepted,
    /// No firm matches or is left to ask.
    Unmatched,
    /// Withdrawn by the visitor.
    Withdrawn,
    /// Erased.
    Erased,
}

impl State {
    /// All states.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name used in the output of commands.
    pub fn id(self) -> &'static str {
        self.into()
    }
}

impl Referral {
    /// Creates the referral of a new inquiry. Suspected spam is held for the operator.
    pub fn new(new: NewReferral, suspicion: Option<Suspicion>) -> Self {
        Self {
            status: suspicion.map_or(Status::Active, |reason| Status::Quarantined(Some(reason))),
            consent: new.consent,
            addition: new.addition,
            ..Self::default()
        }
    }

    /// The state as one word.
    pub fn state(&self) -> State {
        match self.status {
            Status::Quarantined(_) => State::Suspected,
            Status::Withdrawn(_) => State::Withdrawn,
            Status::Erased(_) | Status::Notice(_) => State::Erased,
            Status::Active | Status::Released(_) if self.accepted() > 0 => State::Accepted,
            Status::Active | Status::Released(_) if self.is_unmatched => State::Unmatched,
            Status::Active | Status::Released(_) if self.asked.is_empty() => State::Received,
            Status::Active | Status::Released(_) => State::Asked,
        }
    }

    /// The number of firms that have accepted.
    pub fn accepted(&self) -> usize {
        self.accepted_by().count()
    }

    /// Whether a request is open.
    pub(super) fn is_waiting(&self) -> bool {
        self.asked.iter().any(|asked| asked.answer == Answer::Pending)
    }

    /// The firms that have accepted.
    pub fn accepted_by(&self) -> impl Iterator<Item = &FirmId> {
        let accepted = self.asked.iter().filter(|asked| asked.answer.is_accepted());
        accepted.map(|asked| &asked.firm)
    }

    pub(super) fn asked_firms(&self) -> Vec<FirmId> {
        self.asked.iter().map(|asked| asked.firm.clone()).collect()
    }

    /// The firms that were asked, except those that could not be reached.
    pub fn reached(&self) -> impl Iterator<Item = &Asked> {
        self.asked
            .iter()
            .filter(|asked| asked.answer != Answer::Unreachable)
    }

    /// Whether another firm may accept.
    pub fn has_free_place(&self, policy: &HandlingPolicy) -> bool {
        self.accepted() < policy.offers
    }

    /// Whether another firm may be asked: the referral is active, a place is free, and no request is open.
    pub fn can_be_matched(&self, policy: &HandlingPolicy) -> bool {
        self.status == Status::Active && !self.is_waiting() && self.has_free_place(policy)
    }

    /// Whether the operator has marked the inquiry as done, so that lists of open work leave it out.
    pub fn is_done(&self) -> bool {
        self.done_at().is_some()
    }

    /// When the inquiry was marked as done.
    pub fn done_at(&self) -> Option<Timestamp> {
        let done = self.casework.as_ref()?.done?;
        Some(done.0)
    }

    /// The number of deliveries whose state satisfies `is_meant`.
    pub fn count(&self, is_meant: fn(&DeliveryState) -> bool) -> usize {
        let states = self.deliveries.iter().map(|delivery| &delivery.state);
        states.filter(|state| is_meant(state)).count()
    }

    /// The numbers of the photos.
    pub fn photo_numbers(&self) -> &[u16] {
        self.photos.as_ref().map_or(&[], PhotoList::numbers)
    }

    /// A digest of the visitor's content: the answers, the addition and the photo numbers. It identifies the version that a
    /// decision is based on.
    pub fn text_digest(&self, answers: &Answers) -> Uuid {
        let mut digest = FieldDigest::default();
        digest.add_answers(answers);
        digest.add(self.addition.as_bytes());
        for number in self.photo_numbers() {
            digest.add(&number.to_be_bytes());
        }
        let digest = digest.finish();
        Uuid::from_bytes(digest.first_chunk().copied().unwrap_or_default())
    }

    /// The firm with this number.
    pub fn firm(&self, number: u8) -> Option<&Asked> {
        self.asked.get(usize::from(number))
    }

    pub(super) fn firm_mut(&mut self, number: u8) -> Option<&mut Asked> {
        self.asked.get_mut(usize::from(number))
    }

    /// The firms with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (u8, &Asked)> {
        (0..=u8::MAX).zip(&self.asked)
    }

    /// When each lane is next due. `free` maps a delivery's number and due time to the time at which it may be attempted, since
    /// another attempt may be in progress.
    pub fn due(&self, free: impl Fn(u16, Timestamp) -> Timestamp) -> Due {
        let clock = self.clock_due().map(|at| (Lane::Clock, at));
        let mut due: Due = clock.into_iter().collect();
        for (number, delivery) in (0..=u16::MAX).zip(&self.deliveries) {
            if let Some(at) = delivery.due() {
                let at = free(number, at);
                let first = due.entry(delivery.message.lane()).or_insert(at);
                *first = at.min(*first);
            }
        }
        due
    }

    /// Whether the passing of time alone moves it forward: a silent firm is passed over, a released inquiry begins.
    pub fn goes_on_by_clock(&self) -> bool {
        matches!(self.status, Status::Active | Status::Released(_)) && self.clock_due().is_some()
    }

    fn clock_due(&self) -> Option<Timestamp> {
        match self.status {
            Status::Active => {
                let pending = self.asked.iter().filter(|asked| asked.answer == Answer::Pending);
                pending.map(Asked::due).min()
            }
            Status::Quarantined(_) => None,
            Status::Released(at) => Some(at),
            Status::Withdrawn(at) | Status::Erased(at) | Status::Notice(at) => {
                Some(at.saturating_add(KEPT_AFTER_WITHDRAWAL).unwrap_or(at))
            }
        }
    }

    /// The numbers of the deliveries due in a lane.
    pub fn due_deliveries(&self, lane: Lane, now: Timestamp) -> impl Iterator<Item = (u16, &Delivery)> {
        let numbered = (0..=u16::MAX).zip(&self.deliveries);
        numbered.filter(move |(_, delivery)| {
            delivery.message.lane() == lane && delivery.due().is_some_and(|due| due <= now)
        })
    }

    /// Whether it is a mail to the operator about several inquiries rather than an inquiry.
    pub fn is_notice(&self) -> bool {
        matches!(self.status, Status::Notice(_))
    }

    /// Creates a mail about several inquiries to each of the operator's mailboxes, to be sent at `at`.
    pub fn notice(message: impl Fn(u8) -> Message, mailboxes: u8, at: Timestamp) -> Self {
        let mut notice = Self {
            status: Status::Notice(at),
            ..Self::default()
        };
        notice.tell_operator(message, mailboxes, at);
        notice
    }

    /// Adds a mail to each of the operator's mailboxes.
    pub fn tell_operator(&mut self, message: impl Fn(u8) -> Message, mailboxes: u8, at: Timestamp) {
        let mails = (0..mailboxes).map(|number| Delivery::new(message(number), at));
        self.deliveries.extend(mails);
    }

    /// Whether there is a delivery of the message, whatever its state.
    pub(super) fn sends(&self, message: Message) -> bool {
        self.deliveries.iter().any(|delivery| delivery.message == message)
    }

    /// Cancels open deliveries whose message satisfies `is_meant`.
    pub(super) fn cancel(&mut self, is_meant: impl Fn(Message) -> bool) {
        for delivery in &mut self.deliveries {
            if delivery.is_open() && is_meant(delivery.message) {
                delivery.state = DeliveryState::Cancelled;
            }
        }
    }
}
