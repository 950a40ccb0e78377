//! Doing what is due by the clock.

use jiff::Timestamp;
use uuid::Uuid;

use super::Operation;
use super::lease::readable;
use crate::domain::referral::{Change, InquiryRecord, Lane, Mailbox, Message, Referral};
use crate::store::entry::Entry;
use crate::store::map::{EngineError, Kind};
use crate::store::reads;
use crate::store::time::millis;
use crate::store::tx::{Tx, lane_of_inquiries, lane_of_subscriptions};
use crate::store::values::due_key;
use crate::store::values::fact::Fact;
use crate::store::values::ids::first_since;

/// How many inquiries, and as many subscriptions, the clock brings in one transaction, so that no visitor waits long for it.
const AT_ONCE: usize = 64;

/// Does some of what is due by the clock: passes over firms, begins released inquiries, forgets what is over.
pub struct Tick;

impl Operation for Tick {
    /// How many were due; call again unless it is 0.
    type Reply = usize;

    fn apply(&mut self, tx: &mut Tx<'_>) -> Result<usize, EngineError> {
        // In a store that was restored, what was there before waits for the operator: the lost store may have gone on with it.
        let held = reads::fact(tx, Fact::Suspended.name())?.map_or_else(Default::default, first_since);
        let inquiries = tx.due_of(lane_of_inquiries(Lane::Clock), AT_ONCE, |id| *id >= held)?;
        for (at, id) in &inquiries {
            let _ = tx.update(Uuid::from_bytes(*id), &Change::Tick)?;
            // What belongs to this time no more, or cannot be read, must not come up again.
            let due = readable(tx.entry(Uuid::from_bytes(*id)))?.flatten();
            let due = due.and_then(|entry| entry.due().clock).map(millis);
            if due != Some(*at) {
                tx.remove(Kind::Due, due_key(lane_of_inquiries(Lane::Clock), *at, id));
            }
        }
        let subscriptions = tx.due(lane_of_subscriptions(Lane::Clock), AT_ONCE)?;
        for (at, key) in &subscriptions {
            tx.remove(Kind::Due, due_key(lane_of_subscriptions(Lane::Clock), *at, key));
            let entry = readable(tx.subscription(key))?.flatten();
            if let Some(entry) = entry.filter(|entry| entry.subscription.is_expired(tx.now)) {
                tx.remove_subscription(key, &entry);
            }
        }
        tx.send_digest()?;
        Ok(inquiries.len() + subscriptions.len())
    }
}

impl Tx<'_> {
    /// Sends the operator's digest once its morning has come. The first time, that morning is only noted.
    fn send_digest(&mut self) -> Result<(), EngineError> {
        let policy = &self.memory.matching.policy;
        let Some(period) = policy.digest.filter(|_| policy.operator_mailboxes > 0) else {
            return Ok(());
        };
        let morning = period.last_morning(self.now);
        let last = self.noted(Fact::Digest)?;
        if last.is_some_and(|last| last >= morning) {
            return Ok(());
        }
        self.note(Fact::Digest.name(), Some(millis(morning)));
        if last.is_some() {
            self.add_notice(|mailbox| Message::OperatorDigest(mailbox, period), morning)?;
        }
        Ok(())
    }

    /// Adds mails to the operator's mailboxes about many inquiries, which are sent at some time.
    ///
    /// # Errors
    /// When the system gives no random bits.
    pub(super) fn add_notice(
        &mut self,
        message: impl Fn(Mailbox) -> Message,
        at: Timestamp,
    ) -> Result<(), EngineError> {
        let id = self.next_id(millis(self.now))?;
        let mailboxes = self.memory.matching.policy.operator_mailboxes;
        let record = InquiryRecord {
            id: Uuid::from_bytes(id),
            inquiry: None,
            referral: Referral::notice(message, mailboxes, at),
        };
        self.save(&Entry::new(record))
    }
}
