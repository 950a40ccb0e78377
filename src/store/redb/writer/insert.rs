//! Storing an inquiry.

use std::time::Instant;

use super::operation::Operation;
use super::referrals;
use crate::inquiry::NewInquiry;
use crate::referral::{Due, NewReferral, Referral, Secret, Status};
use crate::store::DEADLINE;
use crate::store::confirmation;
use crate::store::error::{InsertError, Unavailable};
use crate::store::idempotency_key::IdempotencyKey;
use crate::store::inserted::Inserted;
use crate::store::keyed_request::KeyedRequest;
use crate::store::record;
use crate::store::redb::idempotency;
use crate::store::redb::schema::{Id, millis};
use crate::store::redb::transaction::Transaction;

/// An inquiry that waits to be stored.
pub struct Insert {
    inquiry: NewInquiry,
    referral: Referral,
    /// Encoded by the calling thread, so that the one writer has less to do.
    value: Vec<u8>,
    address_key: Id,
    request: Option<KeyedRequest>,
    /// When the caller hears that the store is unavailable. What is stored later, it would send again.
    give_up_at: Instant,
}

impl Insert {
    /// Prepares everything that does not need the file.
    pub fn new(
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<&IdempotencyKey>,
        secret: &Secret,
    ) -> Result<Self, Unavailable> {
        Ok(Self {
            referral: Referral::new(referral, inquiry.suspicion().is_some()),
            value: record::encode(&inquiry)?,
            address_key: confirmation::address_key(secret, inquiry.answers().email_address.as_str()),
            request: key.map(|key| KeyedRequest::new(key, &inquiry)),
            inquiry,
            give_up_at: Instant::now() + DEADLINE,
        })
    }
}

impl Operation for Insert {
    type Reply = Result<Inserted, InsertError>;

    fn apply(self, transaction: &mut Transaction<'_>) -> Result<Self::Reply, redb::Error> {
        let Self {
            inquiry,
            mut referral,
            value,
            address_key,
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
            referrals::begin(transaction, &mut referral, inquiry.answers(), &address_key);
        }
        // A referral that says nothing need not be kept: that of an inquiry without one says the same.
        if referral != Referral::implied(inquiry.suspicion().is_some()) {
            referrals::store(transaction, &id, &referral, Due::default())?;
        }
        transaction.effects.is_changed = true;
        Ok(Ok(Inserted::New(inquiry.with_id(uuid::Uuid::from_bytes(id)))))
    }
}
