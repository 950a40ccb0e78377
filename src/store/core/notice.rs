//! Mails to the operator about many inquiries, and the facts by which they come no more often than they should.

use jiff::Timestamp;
use uuid::Uuid;

use super::fact::Fact;
use super::operation::ApplyError;
use super::transaction::Transaction;
use crate::referral::{Mailbox, Message, Referral};
use crate::store::time::millis;

impl Transaction<'_> {
    /// Returns the time that a fact says, if facts were read; `None` if it is not noted.
    pub fn noted(&self, fact: Fact) -> Option<Timestamp> {
        let value = self.rows.facts.get(fact.name())?;
        Timestamp::from_millisecond(i64::try_from(*value).ok()?).ok()
    }

    /// Adds mails to the operator's mailboxes about many inquiries, which are sent at some time.
    ///
    /// # Errors
    /// When the system gives no random bits.
    pub fn add_notice(
        &mut self,
        message: impl Fn(Mailbox) -> Message,
        at: Timestamp,
    ) -> Result<(), ApplyError> {
        let id = Uuid::from_bytes(self.state.ids.next(millis(self.now))?);
        let mailboxes = self.state.matching.policy.operator_mailboxes;
        let entry = self.rows.inquiries.entry(id).or_default();
        entry.referral = Some(Referral::notice(message, mailboxes, at));
        self.save_referral(id);
        Ok(())
    }
}
