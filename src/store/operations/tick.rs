//! Steps that are due by the clock.

use jiff::Timestamp;
use uuid::Uuid;

use super::lease::readable;
use crate::domain::newsletter::Subscription;
use crate::domain::referral::{Change, InquiryRecord, Lane, Message, Referral};
use crate::store::entry::{Deliverable, StoredRecord};
use crate::store::map::{EngineError, EntryKind};
use crate::store::tx::{Traces, Tx};
use crate::store::values::ids::first_since;
use crate::store::values::{due_key, millis};
use crate::store::{Store, Unavailable, facts, reads};

/// Maximum number of inquiries, and of subscriptions, per transaction, so that no visitor waits long for it.
const AT_ONCE: usize = 64;

impl Store {
    /// Handles a batch of what is due by the clock: passes over firms that have not answered, begins released inquiries, and
    /// removes expired entries. Returns how many were due; call again unless it is 0.
    ///
    /// # Errors
    /// While the store cannot be written.
    pub async fn tick(&self) -> Result<usize, Unavailable> {
        self.write(|tx| tx.tick(AT_ONCE)).await
    }
}

impl Tx<'_> {
    /// Handles at most `limit` inquiries and as many subscriptions that are due by the clock: passes over firms, begins released
    /// inquiries, and removes expired entries. Returns how many were due; call again unless it is 0.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn tick(&mut self, limit: usize) -> Result<usize, EngineError> {
        // In a restored store, older inquiries wait for the operator: the lost store may have continued them.
        let held = reads::fact(self, facts::SUSPENDED)?.map_or_else(Default::default, first_since);
        let inquiries = self.due(InquiryRecord::lane(Lane::Clock), limit, |id| *id >= held)?;
        for (at, id) in &inquiries {
            let _ = self.update(Uuid::from_bytes(*id), &Change::Tick)?;
            // Entries that are unreadable or no longer due must not come up again.
            let due = readable(reads::entry::<InquiryRecord>(self, id))?.flatten();
            let due = due
                .and_then(|entry| entry.due().get(&Lane::Clock).copied())
                .map(millis);
            if due != Some(*at) {
                self.remove(EntryKind::Due, due_key(InquiryRecord::lane(Lane::Clock), *at, id));
            }
        }
        let subscriptions = self.due(Subscription::lane(Lane::Clock), limit, |_| true)?;
        for (at, key) in &subscriptions {
            self.remove(EntryKind::Due, due_key(Subscription::lane(Lane::Clock), *at, key));
            let entry = readable(reads::entry::<Subscription>(self, key))?.flatten();
            if let Some(entry) = entry.filter(|entry| entry.record.is_expired(self.now)) {
                self.remove_entry(&entry);
                self.leave_traces(Traces::OfErased);
            }
        }
        self.send_digest()?;
        self.ask_for_outcomes()?;
        Ok(inquiries.len() + subscriptions.len())
    }

    /// Sends the operator's digest once its morning has come. On the first call, that morning is only recorded.
    fn send_digest(&mut self) -> Result<(), EngineError> {
        let policy = &self.cache.matching.policy;
        let Some(period) = policy.digest.filter(|_| policy.operator_mailboxes > 0) else {
            return Ok(());
        };
        let morning = period.last_morning(self.now);
        let last = reads::fact_time(self, facts::DIGEST)?;
        if last.is_some_and(|last| last >= morning) {
            return Ok(());
        }
        self.note(facts::DIGEST, Some(millis(morning)));
        if last.is_some() {
            self.add_notice(|mailbox| Message::OperatorDigest(mailbox, period), morning)?;
        }
        Ok(())
    }

    /// Adds mails about many inquiries to the operator's mailboxes, to be sent at some time.
    ///
    /// # Errors
    /// When the system provides no random bits.
    pub(super) fn add_notice(
        &mut self,
        message: impl Fn(u8) -> Message,
        at: Timestamp,
    ) -> Result<(), EngineError> {
        let id = self.cache.ids.next(millis(self.now))?;
        let mailboxes = self.cache.matching.policy.operator_mailboxes;
        let record = InquiryRecord {
            id: Uuid::from_bytes(id),
            inquiry: None,
            referral: Referral::notice(message, mailboxes, at),
        };
        self.save(&StoredRecord::new(id, record));
        Ok(())
    }
}
