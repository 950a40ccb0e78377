//! What remains when an inquiry is withdrawn or erased: who must still be notified.

use jiff::Timestamp;

use super::change::{ChangeContext, Refusal};
use super::delivery::DeliveryState;
use super::message::{Event, Message};
use super::policy::MatchingState;
use super::referral::{Referral, Status};

impl Referral {
    /// Ends the referral when the visitor withdraws: stops what was not sent and notifies everybody who had the inquiry. The store
    /// erases its fields in the same transaction.
    pub(super) fn withdraw(
        &mut self,
        matching: &MatchingState,
        context: &ChangeContext<'_>,
    ) -> Result<bool, Refusal> {
        let now = context.now;
        match self.status {
            Status::Active | Status::Quarantined | Status::Released(_) => {}
            // A second press of the button.
            Status::Withdrawn(_) => return Ok(false),
            Status::Erased(_) | Status::Notice(_) => return Err(Refusal::Unknown),
        }
        let told = self.told(context);
        self.status = Status::Withdrawn(now);
        self.give_up(|message| !message.outlives_inquiry());
        self.forget_texts();
        for message in told {
            match message {
                Message::FirmRequest(firm) | Message::FirmAddition(firm)
                    if !self.sends(Message::FirmWithdrawn(firm)) =>
                {
                    self.send(Message::FirmWithdrawn(firm), now);
                }
                Message::OperatorNew(mailbox) | Message::OperatorHeld(mailbox)
                    if matching.policy.operator_mailboxes > 0
                        && !self.sends(Message::OperatorWithdrawn(mailbox)) =>
                {
                    self.send(Message::OperatorWithdrawn(mailbox), now);
                }
                Message::Webhook(Event::Created) => self.notify(Event::Withdrawn, matching, now),
                _ => {}
            }
        }
        Ok(true)
    }

    /// Returns what remains after the operator has erased the inquiry: notices to the firms that had accepted, which have
    /// the visitor's contact data (Art. 19 GDPR), and those that were under way. `None` if nothing remains.
    #[must_use]
    pub fn erased(&self, now: Timestamp) -> Option<Self> {
        let mut remains = self.clone();
        remains.status = Status::Erased(now);
        remains.give_up(|message| !message.outlives_inquiry());
        remains.forget_texts();
        if !matches!(self.status, Status::Withdrawn(_)) {
            let accepted = self.numbered().filter(|(_, asked)| asked.answer.is_accepted());
            for (firm, _) in accepted {
                remains.send(Message::FirmErased(firm), now);
            }
        }
        (!remains.is_over(now)).then_some(remains)
    }

    pub(super) fn sends(&self, message: Message) -> bool {
        self.deliveries.iter().any(|delivery| delivery.message == message)
    }

    /// Returns the messages that may have arrived, those to firms that have answered, and those that the operator's mailboxes were to
    /// have: the operator can see every inquiry, even if the mail failed.
    fn told(&self, context: &ChangeContext<'_>) -> Vec<Message> {
        let numbered = (0..=u16::MAX).zip(&self.deliveries);
        let told = numbered.filter(|(number, delivery)| {
            let is_visible = match delivery.message {
                Message::OperatorNew(_) | Message::OperatorHeld(_) => delivery.attempts > 0,
                // A firm that has answered has read it, even if the mail failed.
                Message::FirmRequest(firm) => self
                    .firm(firm)
                    .is_some_and(|asked| asked.answered_after().is_some()),
                _ => false,
            };
            is_visible || delivery.may_have_arrived(context.is_retaken) || context.under_way.contains(number)
        });
        let mut told: Vec<_> = told.map(|(_, delivery)| delivery.message).collect();
        // Firms first: they are about to call the visitor.
        told.sort_by_key(|message| match message {
            Message::FirmRequest(_) | Message::FirmAddition(_) => 0,
            Message::OperatorNew(_) | Message::OperatorHeld(_) => 1,
            _ => 2,
        });
        told
    }

    /// Stops deliveries that wait, and those that have failed: they must not be retried.
    fn give_up(&mut self, is_meant: impl Fn(Message) -> bool) {
        self.cancel(&is_meant);
        for delivery in &mut self.deliveries {
            if delivery.state.is_failed() && is_meant(delivery.message) {
                delivery.state = DeliveryState::Cancelled;
            }
        }
    }

    fn forget_texts(&mut self) {
        self.addition.clear();
        self.consent = None;
        for asked in &mut self.asked {
            asked.review = None;
        }
        self.photos = None;
    }
}
