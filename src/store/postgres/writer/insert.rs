//! Storing an inquiry.

use std::time::Instant;

use super::needs::Needs;
use super::operation::Operation;
use super::transaction::{KeyEntry, NewInquiryRow, Transaction};
use super::update;
use crate::referral::{Plan, Referral, Status};
use crate::store::error::InsertError;
use crate::store::ids::Id;
use crate::store::insert::Insert;
use crate::store::inserted::Inserted;
use crate::store::keyed_request::REMEMBERED;
use crate::store::millis::millis;
use crate::store::postgres::error::Error;

/// An inquiry that waits to be stored, under one id however often that is attempted.
pub struct InsertOnce {
    insert: Insert,
    /// The id that it got in an attempt before.
    id: Option<Id>,
}

impl InsertOnce {
    /// Prepares the first attempt.
    pub fn new(insert: Insert) -> Self {
        Self { insert, id: None }
    }
}

impl Operation for InsertOnce {
    type Reply = Result<Inserted, InsertError>;

    fn gather(&self, needs: &mut Needs, plan: &Plan) {
        let insert = &self.insert;
        needs
            .keys
            .extend(insert.request.iter().map(|request| *request.name()));
        if insert.referral.status == Status::Active {
            needs.turns |= !plan.firms.is_empty() || plan.visitor_mail;
            if plan.visitor_mail {
                needs.addresses.insert(insert.quota.key);
            }
        }
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, Error> {
        let insert = &self.insert;
        if Instant::now() >= insert.give_up_at {
            return Ok(Err(InsertError::Unavailable));
        }
        let now = transaction.now;
        if let Some(request) = &insert.request
            && let Some(known) = transaction.keys.get(request.name())
            && known.expires_at > now
        {
            return Ok(known.replay(request, &insert.inquiry).map(Inserted::Replayed));
        }
        // An id is never older than its inquiry: reading from some time on relies on it.
        let id = match self.id {
            Some(id) => id,
            None => transaction
                .memory
                .ids
                .next(millis(now.max(insert.inquiry.created_at())))?,
        };
        self.id = Some(id);
        let inquiry = insert.inquiry.clone().with_id(uuid::Uuid::from_bytes(id));
        if let Some(request) = &insert.request {
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
            value: insert.value.clone(),
        });
        let mut referral = insert.referral.clone();
        if referral.status == Status::Active {
            update::begin(
                transaction,
                &mut referral,
                insert.inquiry.answers(),
                &insert.quota,
            );
        } else if insert.is_held_told {
            referral.tell_held(transaction.memory.desk, now);
        }
        // A referral that says nothing need not be kept: that of an inquiry without one says the same.
        if referral != Referral::implied(insert.inquiry.suspicion().is_some()) {
            transaction.store_new(inquiry.id, &referral)?;
        }
        Ok(Ok(Inserted::New(inquiry)))
    }
}
