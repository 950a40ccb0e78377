//! Storing an inquiry.

use std::time::Instant;

use super::operation::Operation;
use super::referrals;
use crate::referral::{Due, Referral, Status};
use crate::store::error::InsertError;
use crate::store::insert::Insert;
use crate::store::inserted::Inserted;
use crate::store::redb::idempotency;
use crate::store::redb::schema::millis;
use crate::store::redb::transaction::Transaction;

impl Operation for Insert {
    type Reply = Result<Inserted, InsertError>;

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, redb::Error> {
        let Self {
            inquiry,
            mut referral,
            is_held_told,
            value,
            quota,
            request,
            give_up_at,
        } = self;
        if Instant::now() >= give_up_at {
            return Ok(Err(InsertError::Unavailable));
        }
        let now = transaction.now;
        if let Some(request) = &request {
            let (keys, inquiries) = (transaction.keys.open()?, &transaction.inquiries);
            match idempotency::find(keys, inquiries, request, &inquiry, now)? {
                Ok(Some(before)) => return Ok(Ok(Inserted::Replayed(before))),
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        // An id is never older than its inquiry, even when the clock was set back in between: reading from some time on
        // relies on it.
        let id = transaction
            .memory
            .ids
            .next(millis(now.max(inquiry.created_at())))?;
        transaction.inquiries.insert(&id, value.as_slice())?;
        if let Some(request) = &request {
            idempotency::remember(
                transaction.keys.open()?,
                &mut transaction.expiries,
                request,
                &id,
                now,
            )?;
        }
        if referral.status == Status::Active {
            referrals::begin(transaction, &mut referral, inquiry.answers(), &quota);
        } else if is_held_told {
            referral.tell_held(transaction.memory.desk, now);
        }
        // A referral that says nothing need not be kept: that of an inquiry without one says the same.
        if referral != Referral::implied(inquiry.suspicion().is_some()) {
            referrals::store(transaction, &id, &referral, Due::default())?;
        }
        transaction.effects.is_changed = true;
        Ok(Ok(Inserted::New(inquiry.with_id(uuid::Uuid::from_bytes(id)))))
    }
}
