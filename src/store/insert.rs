//! Storing an inquiry, as every engine is asked for it.

use std::time::Instant;

use super::confirmation::Quota;
use super::deadline::DEADLINE;
use super::error::Unavailable;
use super::idempotency_key::IdempotencyKey;
use super::keyed_request::KeyedRequest;
use super::record;
use crate::inquiry::NewInquiry;
use crate::referral::{NewReferral, Referral, Secret};

/// An inquiry that waits to be stored.
pub struct Insert {
    /// The inquiry.
    pub inquiry: NewInquiry,
    /// Whom to tell of it.
    pub referral: Referral,
    /// Whether the operator is told that it is held back.
    pub is_held_told: bool,
    /// Encoded by the calling thread, so that the one writer has less to do.
    pub value: Vec<u8>,
    /// How many mails its address may get.
    pub quota: Quota,
    /// The request that it came with, if that has a key.
    pub request: Option<KeyedRequest>,
    /// When the caller hears that the store is unavailable. What is stored later, it would send again.
    pub give_up_at: Instant,
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
            request: key.map(|key| KeyedRequest::new(key, &inquiry, &referral.addition)),
            is_held_told: referral.is_held_told,
            referral: Referral::new(referral, inquiry.suspicion().is_some()),
            value: record::encode(&inquiry)?,
            quota: Quota::inquiries(secret, inquiry.answers().email_address.as_str()),
            inquiry,
            give_up_at: Instant::now() + DEADLINE,
        })
    }
}
