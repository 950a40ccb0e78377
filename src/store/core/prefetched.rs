//! What an engine has read for a batch.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use uuid::Uuid;

use super::acceptance_record::AcceptanceKey;
use super::confirmation::{ConfirmationQuota, Sent};
use super::ids::Id;
use super::keyed_request::{KeyName, KeyedRequest, RequestTag};
use super::leases::Leases;
use super::{record, referral_record};
use crate::inquiry::{Inquiry, NewInquiry};
use crate::ledger::{Acceptance, Closing, Month};
use crate::newsletter::Subscription;
use crate::referral::{HandlingPolicy, InquiryRecord, Lane, Referral, Secret, Status};
use crate::store::error::Damaged;
use crate::store::error::InsertError;

/// What was read, as operations have changed it since.
#[derive(Default)]
pub struct Prefetched {
    /// Keys that the store knows.
    pub keys: HashMap<KeyName, KeyEntry>,
    /// What is known of inquiries that the batch names, or that are due.
    pub inquiries: HashMap<Uuid, InquiryEntry>,
    /// Subscriptions that the batch names, or that are due.
    pub subscriptions: HashMap<Uuid, SubscriptionEntry>,
    /// When mailboxes were sent confirmations.
    pub confirmations: HashMap<Id, Sent>,
    /// What the ledger has of inquiries that the batch names. What cannot be read is left out.
    pub acceptances: BTreeMap<AcceptanceKey, Acceptance>,
    /// The months that are closed.
    pub closings: BTreeMap<Month, Closing>,
    /// Facts about the store, by name; read together with whose turn it is.
    pub facts: BTreeMap<String, u64>,
    /// What is due.
    pub due: HashMap<Lane, DueRows>,
}

impl Prefetched {
    /// Returns the mailboxes whose confirmations must be known because their inquiries may begin, which shows only now.
    pub fn mailboxes_to_confirm(&self, policy: &HandlingPolicy, secret: &Secret) -> Vec<Id> {
        if !policy.visitor_mail {
            return Vec::new();
        }
        let may_begin = |entry: &&InquiryEntry| {
            let referral = entry.referral.as_ref();
            referral
                .is_some_and(|referral| matches!(referral.status, Status::Quarantined | Status::Released(_)))
                || entry.inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected)
        };
        let entries = self.inquiries.values().filter(may_begin);
        let mailboxes = entries.filter_map(|entry| {
            let inquiry = entry.inquiry.as_ref()?;
            Some(ConfirmationQuota::inquiries(secret, inquiry.answers.email_address.as_str()).key)
        });
        mailboxes.collect()
    }

    /// Returns whether something that would be erased is there.
    pub fn holds(&self, id: Uuid) -> bool {
        let inquiry = self.inquiries.get(&id).and_then(|entry| entry.inquiry.as_ref());
        let subscription = self
            .subscriptions
            .get(&id)
            .and_then(|entry| entry.subscription.as_ref());
        inquiry.is_some() || subscription.is_some()
    }
}

/// What is due in a lane, most overdue first.
#[derive(Debug, Default)]
pub struct DueRows {
    /// Inquiries.
    pub inquiries: Vec<Uuid>,
    /// Subscriptions.
    pub subscriptions: Vec<Uuid>,
    /// When the next one is due.
    pub next: Option<Timestamp>,
}

/// What is known of a key.
#[derive(Clone)]
pub struct KeyEntry {
    /// What recognises the request.
    pub tag: RequestTag,
    /// The id of its inquiry.
    pub id: Uuid,
    /// When it may be forgotten.
    pub expires_at: Timestamp,
    /// The inquiry; `None` if it was withdrawn or erased.
    pub inquiry: Option<Result<Inquiry, Damaged>>,
}

impl KeyEntry {
    /// Returns what a repeated request gets; `None` once the key has expired. A request whose inquiry was erased is answered as
    /// the first one was: it is not stored again, and the browser does not keep trying.
    ///
    /// # Errors
    /// When the key came with another request, or its inquiry cannot be read.
    pub fn replay(
        &self,
        request: &KeyedRequest,
        inquiry: &NewInquiry,
        now: Timestamp,
    ) -> Result<Option<Inquiry>, InsertError> {
        if self.expires_at <= now {
            return Ok(None);
        }
        let is_same = match self.inquiry {
            Some(_) => request.has(&self.tag),
            None => request.has_erased(&self.tag),
        };
        if !is_same {
            return Err(InsertError::KeyReused);
        }
        match &self.inquiry {
            Some(Ok(stored)) => Ok(Some(stored.clone())),
            Some(Err(error)) => {
                tracing::error!(%error, "the store cannot be read");
                Err(InsertError::Unavailable)
            }
            None => Ok(Some(inquiry.clone().with_id(self.id))),
        }
    }
}

/// What is known of an inquiry.
#[derive(Default)]
pub struct InquiryEntry {
    /// The inquiry.
    pub inquiry: Option<Inquiry>,
    /// Its referral.
    pub referral: Option<Referral>,
    /// The deliveries that somebody has begun to try.
    pub leases: Leases,
    /// Why it cannot be read.
    pub damaged: Option<Damaged>,
}

impl InquiryEntry {
    /// Reads the values of an inquiry. What is damaged is refused later: others in the same batch must not suffer.
    pub fn read(id: Uuid, inquiry: Option<&[u8]>, referral: Option<&[u8]>) -> Self {
        let key = id.as_bytes();
        let mut entry = Self::default();
        if let Some(value) = inquiry {
            entry.inquiry = record::decode(*key, value);
            if entry.inquiry.is_none() {
                entry.damaged = Some(Damaged("an inquiry cannot be read"));
            }
        }
        match referral
            .map(|value| referral_record::decode(key, value))
            .transpose()
        {
            Ok(referral) => entry.referral = referral,
            Err(damaged) => entry.damaged = Some(damaged),
        }
        entry
    }

    /// Returns everything that is known; `None` if there is nothing.
    ///
    /// # Errors
    /// When something of it cannot be read.
    pub fn record(&self, id: Uuid) -> Result<Option<InquiryRecord>, Damaged> {
        if let Some(damaged) = self.damaged {
            return Err(damaged);
        }
        if self.inquiry.is_none() && self.referral.is_none() {
            return Ok(None);
        }
        let is_suspected = self.inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected);
        let referral = self.referral.clone();
        Ok(Some(InquiryRecord {
            id,
            referral: referral.unwrap_or_else(|| Referral::implied(is_suspected)),
            inquiry: self.inquiry.clone(),
        }))
    }
}

/// What is known of a subscription.
#[derive(Default)]
pub struct SubscriptionEntry {
    /// The subscription.
    pub subscription: Option<Subscription>,
    /// Its mail, if somebody has begun to send it.
    pub leases: Leases,
}
