//! Doing what is due by the clock.

use std::mem;

use super::fact::Fact;
use super::operation::{ApplyError, Operation};
use super::read_set::{CLOCK_AT_ONCE, ReadSet};
use super::transaction::Transaction;
use super::update::update;
use crate::referral::{Change, HandlingPolicy, Lane, Message};
use crate::store::time::millis;

/// Does some of what is due by the clock: passes over firms, begins released inquiries, forgets what is over.
pub struct Tick;

impl Operation for Tick {
    /// How many were due; call again unless it is 0.
    type Reply = usize;

    fn read_set(&self, reads: &mut ReadSet, policy: &HandlingPolicy) {
        reads.add_due(Lane::Clock, CLOCK_AT_ONCE);
        reads.turns |= !policy.firms.is_empty() || policy.visitor_mail;
    }

    fn apply(&mut self, transaction: &mut Transaction<'_>) -> Result<usize, ApplyError> {
        let due = mem::take(transaction.rows.due.entry(Lane::Clock).or_default());
        for id in &due.inquiries {
            if update(transaction, *id, &Change::Tick).is_ok() {
                // Where nothing has changed, nothing belongs to the time any more.
                transaction.save_referral(*id);
            } else {
                transaction.changes.not_due.insert(*id);
            }
        }
        for key in &due.subscriptions {
            let now = transaction.now;
            if let Some(entry) = transaction.rows.subscriptions.get_mut(key)
                && entry
                    .subscription
                    .as_ref()
                    .is_some_and(|found| found.is_expired(now))
            {
                entry.subscription = None;
                transaction.save_subscription(*key);
            }
        }
        transaction.send_digest()?;
        Ok(due.inquiries.len() + due.subscriptions.len())
    }
}

impl Transaction<'_> {
    /// Sends the operator's digest once its morning has come. The first time, that morning is only noted.
    fn send_digest(&mut self) -> Result<(), ApplyError> {
        let policy = &self.state.matching.policy;
        let Some(period) = policy.digest.filter(|_| policy.operator_mailboxes > 0) else {
            return Ok(());
        };
        let morning = period.last_morning(self.now);
        let last = self.noted(Fact::Digest);
        if last.is_some_and(|last| last >= morning) {
            return Ok(());
        }
        self.note(Fact::Digest.name(), Some(millis(morning)));
        if last.is_some() {
            self.add_notice(|mailbox| Message::OperatorDigest(mailbox, period), morning)?;
        }
        Ok(())
    }
}
