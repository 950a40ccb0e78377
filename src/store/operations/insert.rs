//! Stores an inquiry.

use jiff::SignedDuration;
use tokio::time::timeout;
use uuid::Uuid;

use crate::domain::inquiry::{Inquiry, NewInquiry};
use crate::domain::referral::confirmation_quota::ConfirmationQuota;
use crate::domain::referral::{InquiryRecord, Message, NewReferral, Referral, Secret, Status};
use crate::store::entry::StoredRecord;
use crate::store::job::JobTerms;
use crate::store::map::{EngineError, EntryKind, View};
use crate::store::tx::Tx;
use crate::store::values::ids::Id;
use crate::store::values::keyed_request::{IdempotencyKey, KeyedRequest, REMEMBERED};
use crate::store::values::{KeyEntry, millis};
use crate::store::{DEADLINE, InsertError, Store, Unavailable, facts, reads};

/// Minimum time between notifications of the operator about suspected robots, since a robot sends many inquiries.
const TELL_SUSPECTED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// The outcome of storing an inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// It was stored now.
    New(Inquiry),
    /// The idempotency key was known: holds the inquiry stored for it earlier.
    Replayed(Inquiry),
}

impl Inserted {
    /// The stored inquiry, new or not.
    pub fn into_inquiry(self) -> Inquiry {
        match self {
            Self::New(inquiry) | Self::Replayed(inquiry) => inquiry,
        }
    }
}

/// An inquiry to be stored, with one id across all attempts.
pub struct Insert {
    inquiry: NewInquiry,
    /// The id assigned by an earlier attempt.
    id: Option<Id>,
    /// The referral with the resulting deliveries.
    referral: Referral,
    /// Whether the operator is notified that it is held back.
    is_held_told: bool,
    /// How many mails its address may receive.
    quota: ConfirmationQuota,
    /// The request, if it has an idempotency key.
    request: Option<KeyedRequest>,
}

impl Insert {
    /// Prepares everything that does not need the engine.
    pub fn new(
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<&IdempotencyKey>,
        secret: &Secret,
    ) -> Self {
        Self {
            id: None,
            request: key.map(|key| KeyedRequest::new(key, &inquiry, &referral.addition)),
            is_held_told: referral.is_held_told,
            referral: Referral::new(referral, inquiry.suspicion),
            quota: ConfirmationQuota::inquiries(secret, inquiry.answers.email_address.as_str()),
            inquiry,
        }
    }

    /// Stores the inquiry, or finds the one stored by an earlier request with its key.
    ///
    /// # Errors
    /// When the store cannot be read; the inner error tells why it was refused.
    pub fn apply(&mut self, tx: &mut Tx<'_>) -> Result<Result<Inserted, InsertError>, EngineError> {
        let now = tx.now;
        let mut known = None;
        if let Some(request) = &self.request {
            known = reads::key(tx, request)?;
            if let Some(known) = &known {
                match reads::replay(tx, known, request, &self.inquiry, millis(now))? {
                    Ok(Some(before)) => return Ok(Ok(Inserted::Replayed(before))),
                    Ok(None) => {}
                    Err(error) => return Ok(Err(error)),
                }
            }
        }
        // An id is never older than its inquiry, even if the clock was set back in between: range queries rely on that.
        let id = match self.id {
            Some(id) => id,
            None => tx.cache.ids.next(millis(now.max(self.inquiry.created_at)))?,
        };
        self.id = Some(id);
        let inquiry = self.inquiry.clone().with_id(Uuid::from_bytes(id));
        if let Some(request) = &self.request {
            let entry = KeyEntry {
                tag: request.tag,
                id,
                expires_at: millis(now).saturating_add(REMEMBERED),
            };
            tx.put_key(&request.name, known.as_ref(), &entry);
        }
        let mut referral = self.referral.clone();
        if referral.status == Status::Active {
            tx.begin(&mut referral, &self.inquiry.answers, &self.quota);
        } else if self.is_held_told {
            let mailboxes = tx.cache.matching.policy.operator_mailboxes;
            referral.tell_operator(Message::OperatorHeld, mailboxes, now);
        } else {
            tx.tell_suspected()?;
        }
        let record = InquiryRecord {
            id: inquiry.id,
            inquiry: Some(inquiry.clone()),
            referral,
        };
        tx.save(&StoredRecord::new(id, record));
        Ok(Ok(Inserted::New(inquiry)))
    }
}

impl Store {
    /// Stores an inquiry with its deliveries in one transaction; returns once it is durable. A repeated request with the same key
    /// gets the inquiry stored by the first one.
    ///
    /// # Errors
    /// [`InsertError::KeyReused`] when the key was used for another request, else [`InsertError::Unavailable`]. Nothing was
    /// stored in that case, unless the disk failed in the very last step or hangs: only repeating the request with its key tells.
    pub async fn insert(
        &self,
        inquiry: NewInquiry,
        referral: NewReferral,
        key: Option<IdempotencyKey>,
    ) -> Result<Inserted, InsertError> {
        let insert = async {
            let secret = self.known_secret().await?;
            let mut insert = Insert::new(inquiry, referral, key.as_ref(), secret);
            let key = insert.request.as_ref().map(|request| request.name.to_vec());
            let terms = JobTerms {
                wants: key.map(|key| (EntryKind::Keys, key)),
                ..JobTerms::default()
            };
            self.writer.apply(terms, move |tx| insert.apply(tx)).await?
        };
        timeout(DEADLINE, insert).await.unwrap_or_else(|_| {
            tracing::error!("an inquiry was not stored in time; does the disk hang?");
            Err(Unavailable.into())
        })
    }

    /// Looks up a request's key without storing anything: returns the inquiry stored for it, or `None` for a new key.
    /// [`Self::insert`] does the same; this is for requests that must not store anything.
    ///
    /// # Errors
    /// As for [`Self::insert`].
    pub async fn replay(
        &self,
        key: &IdempotencyKey,
        inquiry: &NewInquiry,
        addition: &str,
    ) -> Result<Option<Inquiry>, InsertError> {
        let request = KeyedRequest::new(key, inquiry, addition);
        let (inquiry, now) = (inquiry.clone(), millis(self.now()));
        let replay = move |view: &dyn View| match reads::key(view, &request)? {
            Some(known) => reads::replay(view, &known, &request, &inquiry, now),
            None => Ok(Ok(None)),
        };
        self.read(replay).await?
    }
}

impl Tx<'_> {
    /// Schedules a notification of the operator about suspected robots, within [`TELL_SUSPECTED_EVERY`]. The mail covers all
    /// inquiries up to its sending, so that none is left out.
    fn tell_suspected(&mut self) -> Result<(), EngineError> {
        if self.cache.matching.policy.operator_mailboxes == 0 {
            return Ok(());
        }
        let told = reads::fact_time(self, facts::SUSPECTED_TOLD)?;
        if told.is_some_and(|told| told > self.now) {
            return Ok(());
        }
        let allowed = told.and_then(|told| told.checked_add(TELL_SUSPECTED_EVERY).ok());
        let at = allowed.map_or(self.now, |allowed| allowed.max(self.now));
        self.note(facts::SUSPECTED_TOLD, Some(millis(at)));
        self.add_notice(Message::OperatorSuspected, at)
    }
}
