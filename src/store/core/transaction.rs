//! One transaction for many operations: what was read for them, and what they have changed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::acceptance_record::AcceptanceKey;
use super::confirmation::{ConfirmationQuota, Sent};
use super::fact::Fact;
use super::ids::{Id, Ids};
use super::keyed_request::KeyName;
use super::leases::Holder;
use super::photo_record::PhotoKey;
use super::prefetched::{KeyEntry, Prefetched};
use crate::ledger::Month;
use crate::photo::Photo;
use crate::referral::{MatchingState, Referral, Secret};
use crate::store::time::millis;

/// What operations work on.
pub struct Transaction<'t> {
    /// What was read, as it is now.
    pub rows: Prefetched,
    /// What the writer keeps in memory.
    pub state: WriterState<'t>,
    /// The time of the transaction.
    pub now: Timestamp,
    /// What is to be saved.
    pub changes: Changes,
}

/// What a writer keeps in memory beside the store.
pub struct WriterState<'t> {
    /// Makes ids of new inquiries.
    pub ids: &'t mut Ids,
    /// What is done with inquiries, and whose turn it is.
    pub matching: &'t mut MatchingState,
    /// How many more mailboxes may get confirmations.
    pub mailboxes_left: &'t mut usize,
    /// This instance.
    pub holder: Holder,
    /// What tokens and keyed digests follow from.
    pub secret: &'t Secret,
    /// Since when leases tell who has begun what. What was due before may have been sent by a process that was killed.
    pub opened_at: Timestamp,
}

/// A new inquiry.
pub struct NewInquiryRow {
    /// Its id.
    pub id: Uuid,
    /// When it was made.
    pub created_at: Timestamp,
    /// The encoded inquiry.
    pub value: Vec<u8>,
    /// Its referral, unless that says nothing.
    pub referral: Option<Referral>,
}

/// What is to be saved, in the order of its keys, so that instances lock rows in the same order. Values are in [`Prefetched`]; what is
/// `None` there is removed.
#[derive(Default)]
pub struct Changes {
    /// New inquiries, whose ids grow.
    pub new: Vec<NewInquiryRow>,
    /// Keys that are new, or were known and had expired.
    pub keys: BTreeSet<KeyName>,
    /// Those of them that had expired.
    pub replaced_keys: BTreeSet<KeyName>,
    /// Inquiries that were changed.
    pub inquiries: BTreeSet<Uuid>,
    /// Inquiries that are removed, with their photos.
    pub removed: BTreeSet<Uuid>,
    /// Referrals that were changed.
    pub referrals: BTreeSet<Uuid>,
    /// Subscriptions that were changed.
    pub subscriptions: BTreeSet<Uuid>,
    /// Inquiries of which leases alone were changed.
    pub leased: BTreeSet<Uuid>,
    /// Subscriptions of which leases alone were changed.
    pub leased_subscriptions: BTreeSet<Uuid>,
    /// Mailboxes that are sent confirmations, and how many.
    pub confirmations: BTreeMap<Id, usize>,
    /// Entries of the ledger that are new or were changed.
    pub acceptances: BTreeSet<AcceptanceKey>,
    /// Months that are closed.
    pub closings: BTreeSet<Month>,
    /// Photos that are added; `None` for those that are taken away.
    pub photos: BTreeMap<PhotoKey, Option<Arc<Photo>>>,
    /// What is added to the counts of days.
    pub counts: BTreeMap<(Date, String), u64>,
    /// Facts by name; `None` for those that are no longer true.
    pub facts: BTreeMap<Cow<'static, str>, Option<u64>>,
    /// What is listed as erased.
    pub erased: BTreeSet<Uuid>,
    /// Inquiries that nothing is to be done for by the clock, whatever the store says.
    pub not_due: BTreeSet<Uuid>,
    /// Set when something may have become due.
    pub has_due: bool,
    /// Set when a text of the visitor's was removed, of which an engine may keep traces, while the inquiry stays.
    pub has_traces: bool,
}

/// What others are to hear of a batch that was committed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effects {
    /// Whether something may have become due.
    pub has_due: bool,
    /// Whether reviews were written, changed, judged or removed.
    pub touches_reviews: bool,
}

impl Changes {
    /// Returns whether nothing but leases has changed.
    pub fn are_leases(&self) -> bool {
        self.new.is_empty()
            && self.keys.is_empty()
            && self.inquiries.is_empty()
            && self.removed.is_empty()
            && self.referrals.is_empty()
            && self.subscriptions.is_empty()
            && self.confirmations.is_empty()
            && self.acceptances.is_empty()
            && self.closings.is_empty()
            && self.photos.is_empty()
            && self.counts.is_empty()
            && self.facts.is_empty()
            && self.erased.is_empty()
            && self.not_due.is_empty()
    }

    /// Returns what others are to hear of once they are committed.
    pub fn effects(&self) -> Effects {
        Effects {
            has_due: self.has_due,
            touches_reviews: self.facts.contains_key(Fact::Reviews.name()),
        }
    }

    /// Returns whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.are_leases() && self.leased.is_empty() && self.leased_subscriptions.is_empty()
    }
}

impl Transaction<'_> {
    /// Notes a fact, or that it is no longer true. Those that come later in the batch see it.
    pub fn note(&mut self, name: impl Into<Cow<'static, str>>, value: Option<u64>) {
        let name = name.into();
        match value {
            Some(value) => self.rows.facts.insert(name.to_string(), value),
            None => self.rows.facts.remove(name.as_ref()),
        };
        self.changes.facts.insert(name, value);
    }

    /// Notes that reviews have changed, and, if that concerns what is published, that what is known of them is out of date, here and in
    /// other instances: all inquiries are read for that, which a visitor's word alone must not bring about.
    pub fn note_reviews(&mut self, is_published: bool) {
        self.note(Fact::ReviewsWritten.name(), Some(millis(self.now)));
        if is_published {
            self.note(Fact::Reviews.name(), Some(millis(self.now)));
        }
    }

    /// Remembers a key that is new or has expired.
    pub fn remember(&mut self, name: KeyName, entry: KeyEntry) {
        if self.rows.keys.insert(name, entry).is_some() {
            self.changes.replaced_keys.insert(name);
        }
        self.changes.keys.insert(name);
    }

    /// Notes that a referral was changed.
    pub fn save_referral(&mut self, id: Uuid) {
        self.changes.referrals.insert(id);
        self.changes.has_due = true;
    }

    /// Notes that a subscription was changed.
    pub fn save_subscription(&mut self, key: Uuid) {
        self.changes.subscriptions.insert(key);
        self.changes.has_due = true;
    }

    /// Returns whether one more confirmation may be sent, and counts it if so.
    pub fn may_send(&mut self, quota: &ConfirmationQuota) -> bool {
        let may_send = match self.rows.confirmations.get(&quota.key) {
            Some(sent) => sent.may_send(quota, self.now),
            None => *self.state.mailboxes_left > 0,
        };
        if may_send {
            let sent = self.rows.confirmations.entry(quota.key).or_insert_with(|| {
                *self.state.mailboxes_left = self.state.mailboxes_left.saturating_sub(1);
                Sent::default()
            });
            sent.note(millis(self.now));
            *self.changes.confirmations.entry(quota.key).or_default() += 1;
        }
        may_send
    }
}
