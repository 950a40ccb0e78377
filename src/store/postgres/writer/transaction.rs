//! One transaction for many operations: what was read for them, and what they change.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::room::Room;
use crate::inquiry::{Inquiry, NewInquiry};
use crate::matching::FirmId;
use crate::newsletter::Subscription;
use crate::referral::{Desk, Dossier, Due, Referral, Secret};
use crate::store::confirmation::Sent;
use crate::store::damaged::Damaged;
use crate::store::error::InsertError;
use crate::store::ids::{Id, Ids};
use crate::store::keyed_request::{KeyName, KeyedRequest, RequestTag};
use crate::store::postgres::leases::{Holder, Leases};
use crate::store::{record, referral_record};

/// What operations work on.
pub struct Transaction<'t> {
    /// The keys that the batch names and the database knows.
    pub keys: HashMap<KeyName, KeyEntry>,
    /// What is known of inquiries that the batch names, or that are due.
    pub dossiers: HashMap<Uuid, Entry>,
    /// Subscriptions that the batch names, or that are due.
    pub subscriptions: HashMap<Uuid, SubscriptionEntry>,
    /// When addresses were sent confirmations.
    pub confirmations: HashMap<Id, Sent>,
    /// What is due.
    pub due: DueRows,
    /// What the writer keeps in memory.
    pub memory: Memory<'t>,
    /// The time of the transaction.
    pub now: Timestamp,
    /// The firms that were asked.
    pub asked: Vec<FirmId>,
    /// What is written.
    pub changes: Changes,
    /// What came of the operations so far.
    pub effects: Effects,
}

/// What is due, the longest due first.
#[derive(Debug, Default)]
pub struct DueRows {
    /// Inquiries with mails to be sent.
    pub mails: Vec<Uuid>,
    /// Inquiries with webhooks to be called.
    pub webhooks: Vec<Uuid>,
    /// Subscriptions with a mail to be sent.
    pub confirmations: Vec<Uuid>,
    /// Inquiries with something due by the clock.
    pub clock: Vec<Uuid>,
    /// Subscriptions that have expired.
    pub expired: Vec<Uuid>,
    /// When the next mail is due.
    pub next_mail: Option<Timestamp>,
    /// When the next webhook is due.
    pub next_webhook: Option<Timestamp>,
}

/// What the writer keeps in memory beside the database.
pub struct Memory<'t> {
    /// Makes ids of new inquiries.
    pub ids: &'t mut Ids,
    /// What is done with inquiries, and whose turn it is.
    pub desk: &'t mut Desk,
    /// How many more addresses may get confirmations.
    pub room: &'t mut Room,
    /// This instance.
    pub holder: Holder,
    /// What tokens and keyed digests follow from.
    pub secret: &'t Secret,
}

/// What came of the operations of a transaction.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effects {
    /// Set when something may have become due.
    pub has_due: bool,
}

/// What is known of a key.
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
    /// Returns what a repeated request gets. One whose inquiry was erased is answered as the first one was: it is not stored
    /// again, and the browser does not keep trying.
    pub fn replay(&self, request: &KeyedRequest, inquiry: &NewInquiry) -> Result<Inquiry, InsertError> {
        let is_same = match self.inquiry {
            Some(_) => request.has(&self.tag),
            None => request.has_erased(&self.tag),
        };
        if !is_same {
            return Err(InsertError::KeyReused);
        }
        match &self.inquiry {
            Some(Ok(stored)) => Ok(stored.clone()),
            Some(Err(error)) => {
                tracing::error!(%error, "the database cannot be read");
                Err(InsertError::Unavailable)
            }
            None => Ok(inquiry.clone().with_id(self.id)),
        }
    }
}

/// What is known of an inquiry, as it was read and changed since.
#[derive(Default)]
pub struct Entry {
    /// The inquiry.
    pub inquiry: Option<Inquiry>,
    /// Its referral.
    pub referral: Option<Referral>,
    /// The deliveries that somebody has begun to try.
    pub leases: Leases,
    /// Whether something of it cannot be read.
    pub is_damaged: bool,
}

impl Entry {
    /// Reads the values of an inquiry. What is damaged is refused later: others in the same batch must not suffer.
    pub fn read(id: Uuid, inquiry: Option<&[u8]>, referral: Option<&[u8]>, leases: Option<&[u8]>) -> Self {
        let key = id.as_bytes();
        let mut entry = Self::default();
        if let Some(value) = inquiry {
            entry.inquiry = record::decode(*key, value);
            entry.is_damaged |= entry.inquiry.is_none();
        }
        if let Some(value) = referral {
            entry.referral = referral_record::decode(key, value).ok();
            entry.is_damaged |= entry.referral.is_none();
        }
        match Leases::decode(leases) {
            Ok(leases) => entry.leases = leases,
            Err(_) => entry.is_damaged = true,
        }
        entry
    }

    /// Returns everything that is known; `None` if there is nothing.
    pub fn dossier(&self, id: Uuid) -> Option<Dossier> {
        if self.inquiry.is_none() && self.referral.is_none() {
            return None;
        }
        let is_suspected = self.inquiry.as_ref().is_some_and(|inquiry| inquiry.suspected);
        Some(Dossier {
            id,
            referral: self
                .referral
                .clone()
                .unwrap_or_else(|| Referral::implied(is_suspected)),
            inquiry: self.inquiry.clone(),
        })
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

/// An inquiry to be stored.
pub struct NewInquiryRow {
    /// Its id.
    pub id: Uuid,
    /// When it was made.
    pub created_at: Timestamp,
    /// The encoded inquiry.
    pub value: Vec<u8>,
}

/// A referral to be stored.
pub struct ReferralRow {
    /// The encoded referral.
    pub value: Vec<u8>,
    /// When something is due.
    pub due: Due,
    /// The encoded leases.
    pub leases: Option<Vec<u8>>,
}

/// What is written, in the order of its keys, so that instances lock rows in the same order.
#[derive(Default)]
pub struct Changes {
    /// New inquiries, whose ids grow.
    pub inquiries: Vec<NewInquiryRow>,
    /// Inquiries that take the place of what was there.
    pub changed_inquiries: BTreeMap<Uuid, Vec<u8>>,
    /// Inquiries that go.
    pub removed_inquiries: BTreeSet<Uuid>,
    /// Referrals, new or changed; `None` for those that go.
    pub referrals: BTreeMap<Uuid, Option<ReferralRow>>,
    /// New keys.
    pub keys: BTreeSet<KeyName>,
    /// Those of them that were there and had expired.
    pub replaced_keys: BTreeSet<KeyName>,
    /// Subscriptions, new or changed, by their keys; `None` for those that go.
    pub subscriptions: BTreeMap<Uuid, Option<ReferralRow>>,
    /// Addresses that are sent one more confirmation.
    pub confirmations: BTreeSet<Id>,
    /// What is added to the counts of days.
    pub counts: BTreeMap<(Date, String), i64>,
    /// Facts.
    pub facts: BTreeMap<&'static str, Option<i64>>,
    /// What is listed as erased.
    pub erased: BTreeSet<Uuid>,
    /// Inquiries that nothing is to be done for by the clock, whatever their row says.
    pub not_due: BTreeSet<Uuid>,
    /// What no longer counts is forgotten, too.
    pub forgets: bool,
}

impl Changes {
    /// Returns whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.inquiries.is_empty()
            && self.changed_inquiries.is_empty()
            && self.removed_inquiries.is_empty()
            && self.referrals.is_empty()
            && self.keys.is_empty()
            && self.subscriptions.is_empty()
            && self.confirmations.is_empty()
            && self.counts.is_empty()
            && self.facts.is_empty()
            && self.erased.is_empty()
            && self.not_due.is_empty()
            && !self.forgets
    }
}

impl Transaction<'_> {
    /// Remembers a key that is new or has expired.
    pub fn remember(&mut self, name: KeyName, entry: KeyEntry) {
        if self.keys.insert(name, entry).is_some() {
            self.changes.replaced_keys.insert(name);
        }
        self.changes.keys.insert(name);
    }

    /// Stores the referral of a new inquiry.
    pub fn store_new(&mut self, id: Uuid, referral: &Referral) -> Result<(), Damaged> {
        let due = referral.due();
        self.effects.has_due |= due != Due::default();
        let row = ReferralRow {
            value: referral_record::encode(id.as_bytes(), referral)?,
            due,
            leases: None,
        };
        self.changes.referrals.insert(id, Some(row));
        Ok(())
    }

    /// Stores a referral as it is now.
    pub fn store(&mut self, id: Uuid) -> Result<(), Damaged> {
        let Some(entry) = self.dossiers.get(&id) else {
            return Ok(());
        };
        let row = match &entry.referral {
            None => None,
            Some(referral) => Some(ReferralRow {
                value: referral_record::encode(id.as_bytes(), referral)?,
                due: entry.leases.due(referral),
                leases: entry.leases.encode(),
            }),
        };
        self.effects.has_due = true;
        self.changes.referrals.insert(id, row);
        Ok(())
    }
}
