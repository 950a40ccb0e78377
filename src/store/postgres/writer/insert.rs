//! Storing an inquiry.

use std::time::Instant;

use super::needs::Needs;
use super::operation::Operation;
use super::transaction::{KeyEntry, NewInquiryRow, Transaction};
use super::update;
use crate::inquiry::NewInquiry;
use crate::referral::{NewReferral, Plan, Referral, Secret, Status};
use crate::store::DEADLINE;
use crate::store::confirmation;
use crate::store::error::{InsertError, Unavailable};
use crate::store::idempotency_key::IdempotencyKey;
use crate::store::ids::Id;
use crate::store::inserted::Inserted;
use crate::store::keyed_request::{KeyedRequest, REMEMBERED};
use crate::store::millis::millis;
use crate::store::postgres::error::Error;
use crate::store::record;

/// An inquiry that waits to be stored.
pub struct Insert {
    inquiry: NewInquiry,
    referral: Referral,
    /// Encoded by the calling thread, so that the one writer has less to do.
    value: Vec<u8>,
    address: Id,
    request: Option<KeyedRequest>,
    /// When the caller hears that the store is unavailable. What is stored later, it would send again.
    give_up_at: Instant,
    /// The id that it got in an attempt before.
    id: Option<Id>,
}

impl Insert {
    /// Prepares everything that does not need the database.
    pub fn new(
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<&IdempotencyKey>,
        secret: &Secret,
    ) -> Result<Self, Unavailable> {
        Ok(Self {
            referral: Referral::new(referral, inquiry.suspicion().is_some()),
            value: record::encode(&inquiry)?,
            address: confirmation::address_key(secret, inquiry.answers().email_address.as_str()),
            request: key.map(|key| KeyedRequest::new(key, &inquiry)),
            inquiry,
            give_up_at: Instant::now() + DEADLINE,
            id: None,
        })
    }
}

impl Operation for Insert {
    type Reply = Result<Inserted, InsertError>;

    fn gather(&self, needs: &mut Needs, plan: &Plan) {
        needs
            .keys
            .extend(self.request.iter().map(|request| *request.name()));
        if self.referral.status == Status::Active {
            needs.turns |= !plan.firms.is_empty() || plan.visitor_mail;
            if plan.visitor_mail {
                needs.addresses.insert(self.address);
            }
        }
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, Error> {
        if Instant::now() >= self.give_up_at {
            return Ok(Err(InsertError::Unavailable));
        }
        let now = transaction.now;
        if let Some(request) = &self.request
            && let Some(known) = transaction.keys.get(request.name())
            && known.expires_at > now
        {
            return Ok(known.replay(request, &self.inquiry).map(Inserted::Replayed));
        }
        // An id is never older than its inquiry: reading from some time on relies on it.
        let id = match self.id {
            Some(id) => id,
            None => transaction
                .memory
                .ids
                .next(millis(now.max(self.inquiry.created_at())))?,
        };
        self.id = Some(id);
        let inquiry = self.inquiry.clone().with_id(uuid::Uuid::from_bytes(id));
        if let Some(request) = &self.request {
            let remembered = jiff::SignedDuration::from_millis(i64::try_from(REMEMBERED).unwrap_or(i64::MAX));
            let entry = KeyEntry {
                tag: request.tag(),
                id: inquiry.id,
                expires_at: now.saturating_add(remembered).unwrap_or(now),
                inquiry: Some(Ok(inquiry.clone())),
            };
            transaction.remember(*request.name(), entry);
        }
        transaction.changes.inquiries.push(NewInquiryRow {
            id: inquiry.id,
            created_at: inquiry.created_at,
            value: self.value.clone(),
        });
        let mut referral = self.referral.clone();
        if referral.status == Status::Active {
            update::begin(transaction, &mut referral, self.inquiry.answers(), &self.address);
        }
        // A referral that says nothing need not be kept: that of an inquiry without one says the same.
        if referral != Referral::implied(self.inquiry.suspicion().is_some()) {
            transaction.store_new(inquiry.id, &referral)?;
        }
        Ok(Ok(Inserted::New(inquiry)))
    }
}
