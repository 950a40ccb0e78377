//! Storing an inquiry.

use std::time::Instant;

use jiff::SignedDuration;
use uuid::Uuid;

use super::confirmation::ConfirmationQuota;
use super::fact::Fact;
use super::ids::Id;
use super::keyed_request::{KeyedRequest, REMEMBERED};
use super::operation::{ApplyError, Operation};
use super::prefetched::KeyEntry;
use super::read_set::ReadSet;
use super::record;
use super::transaction::{NewInquiryRow, Transaction};
use crate::inquiry::{Inquiry, NewInquiry};
use crate::referral::{Due, HandlingPolicy, Message, NewReferral, Referral, Secret, Status};
use crate::store::deadline::DEADLINE;
use crate::store::error::{InsertError, Unavailable};
use crate::store::idempotency_key::IdempotencyKey;
use crate::store::time::millis;

/// How often the operator is told at most of inquiries that may be robots': a robot sends many.
const TELL_SUSPECTED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// What became of an inquiry that was to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// It was stored now.
    New(Inquiry),
    /// Its idempotency key was known: this is the inquiry that was stored for it before.
    Replayed(Inquiry),
}

impl Inserted {
    /// Returns the stored inquiry, whenever that was.
    pub fn into_inquiry(self) -> Inquiry {
        match self {
            Self::New(inquiry) | Self::Replayed(inquiry) => inquiry,
        }
    }
}

/// An inquiry that waits to be stored, under one id however often that is attempted.
pub struct Insert {
    inquiry: NewInquiry,
    /// The id that it got in an attempt before.
    id: Option<Id>,
    /// Whom to tell of it.
    referral: Referral,
    /// Whether the operator is told that it is held back.
    is_held_told: bool,
    /// Encoded by the calling thread, so that the one writer has less to do.
    value: Vec<u8>,
    /// How many mails its address may get.
    quota: ConfirmationQuota,
    /// The request that it came with, if that has a key.
    request: Option<KeyedRequest>,
    /// When the caller hears that the store is unavailable. What is stored later, it would send again.
    give_up_at: Instant,
}

impl Insert {
    /// Prepares everything that needs no engine.
    ///
    /// # Errors
    /// When the inquiry cannot be encoded.
    pub fn new(
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<&IdempotencyKey>,
        secret: &Secret,
    ) -> Result<Self, Unavailable> {
        Ok(Self {
            id: None,
            request: key.map(|key| KeyedRequest::new(key, &inquiry, &referral.addition)),
            is_held_told: referral.is_held_told,
            referral: Referral::new(referral, inquiry.suspicion().is_some()),
            value: record::encode(&inquiry).map_err(|_| Unavailable)?,
            quota: ConfirmationQuota::inquiries(secret, inquiry.answers().email_address.as_str()),
            inquiry,
            give_up_at: Instant::now() + DEADLINE,
        })
    }
}

impl Operation for Insert {
    type Reply = Result<Inserted, InsertError>;

    fn read_set(&self, reads: &mut ReadSet, policy: &HandlingPolicy) {
        reads
            .keys
            .extend(self.request.iter().map(|request| *request.name()));
        if self.referral.status == Status::Active {
            reads.turns |= !policy.firms.is_empty() || policy.visitor_mail;
            if policy.visitor_mail {
                reads.mailboxes.insert(self.quota.key);
            }
        } else if !self.is_held_told && policy.operator_mailboxes > 0 {
            reads.turns = true;
        }
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, ApplyError> {
        if Instant::now() >= self.give_up_at {
            return Ok(Err(InsertError::Unavailable));
        }
        let now = transaction.now;
        if let Some(request) = &self.request
            && let Some(known) = transaction.rows.keys.get(request.name())
        {
            match known.replay(request, &self.inquiry, now) {
                Ok(Some(before)) => return Ok(Ok(Inserted::Replayed(before))),
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        // An id is never older than its inquiry, even when the clock was set back in between: reading from some time on
        // relies on it.
        let id = match self.id {
            Some(id) => id,
            None => transaction
                .state
                .ids
                .next(millis(now.max(self.inquiry.created_at())))?,
        };
        self.id = Some(id);
        let inquiry = self.inquiry.clone().with_id(Uuid::from_bytes(id));
        if let Some(request) = &self.request {
            let remembered = SignedDuration::from_millis(i64::try_from(REMEMBERED).unwrap_or(i64::MAX));
            let entry = KeyEntry {
                tag: request.tag(),
                id: inquiry.id,
                expires_at: now.saturating_add(remembered).unwrap_or(now),
                inquiry: Some(Ok(inquiry.clone())),
            };
            transaction.remember(*request.name(), entry);
        }
        let mut referral = self.referral.clone();
        if referral.status == Status::Active {
            transaction.begin(&mut referral, self.inquiry.answers(), &self.quota);
        } else if self.is_held_told {
            referral.tell_held(transaction.state.matching, now);
        } else {
            transaction.tell_suspected()?;
        }
        transaction.changes.has_due |= referral.due() != Due::default();
        // A referral that says nothing need not be kept: that of an inquiry without one says the same.
        let is_implied = referral == Referral::implied(self.inquiry.suspicion().is_some());
        transaction.changes.new.push(NewInquiryRow {
            id: inquiry.id,
            created_at: inquiry.created_at,
            value: self.value.clone(),
            referral: (!is_implied).then_some(referral),
        });
        Ok(Ok(Inserted::New(inquiry)))
    }
}

impl Transaction<'_> {
    /// Has the operator told, within [`TELL_SUSPECTED_EVERY`], that there are inquiries that may be robots'. The mail is about all that
    /// have come by then, so that none is left out however many there are.
    fn tell_suspected(&mut self) -> Result<(), ApplyError> {
        let told = self.noted(Fact::SuspectedTold);
        let is_pending = told.is_some_and(|told| told > self.now);
        if self.state.matching.policy.operator_mailboxes == 0 || is_pending {
            return Ok(());
        }
        let allowed = told.and_then(|told| told.checked_add(TELL_SUSPECTED_EVERY).ok());
        let at = allowed.map_or(self.now, |allowed| allowed.max(self.now));
        self.note(Fact::SuspectedTold.name(), Some(millis(at)));
        self.add_notice(Message::OperatorSuspected, at)
    }
}
