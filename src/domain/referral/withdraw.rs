//! What remains of a withdrawn or erased inquiry: the notices still to be sent.

use jiff::{SignedDuration, Timestamp};

use super::asked::{Answer, Asked};
use super::change::{Refusal, Transition};
use super::delivery::{Delivery, DeliveryState};
use super::message::{Event, Message};
use super::referral::{Referral, Status};
use crate::domain::ledger::Acceptance;

impl Transition<'_> {
    /// Ends the referral when the visitor withdraws: cancels unsent messages and notifies everyone who had the inquiry. The store
    /// erases its fields in the same transaction.
    pub(super) fn withdraw(&mut self) -> Result<bool, Refusal> {
        match self.must_be_there() {
            // The button was pressed twice.
            Err(Refusal::Withdrawn) => return Ok(false),
            there => there?,
        }
        let told = self.told();
        self.referral.status = Status::Withdrawn(self.now);
        self.referral.forget();
        for message in told {
            let notice = match message {
                Message::FirmRequest(firm) | Message::FirmAddition(firm) => Message::FirmWithdrawn(firm),
                Message::OperatorNew(mailbox) | Message::OperatorHeld(mailbox)
                    if self.matching.policy.operator_mailboxes > 0 =>
                {
                    Message::OperatorWithdrawn(mailbox)
                }
                Message::Webhook(Event::Created) if self.matching.policy.webhook => {
                    Message::Webhook(Event::Withdrawn)
                }
                _ => continue,
            };
            if !self.referral.sends(notice) {
                self.send(notice);
            }
        }
        Ok(true)
    }

    /// The messages that may have arrived, the requests to firms that have answered, and the mails to the operator that were
    /// attempted: the operator can see every inquiry, even if the mail failed.
    fn told(&self) -> Vec<Message> {
        let numbered = (0..=u16::MAX).zip(&self.referral.deliveries);
        let told = numbered.filter(|(number, delivery)| {
            let is_visible = match delivery.message {
                Message::OperatorNew(_) | Message::OperatorHeld(_) => delivery.attempts > 0,
                // A firm that has answered has read the inquiry, even if the mail failed.
                Message::FirmRequest(firm) => {
                    let asked = self.referral.firm(firm);
                    asked.is_some_and(|asked| asked.answered_at().is_some())
                }
                _ => false,
            };
            is_visible || delivery.may_have_arrived(self.is_retaken) || self.under_way.contains(number)
        });
        let mut told: Vec<_> = told.map(|(_, delivery)| delivery.message).collect();
        // Firms first: they may be about to call the visitor.
        told.sort_by_key(|message| match message {
            Message::FirmRequest(_) | Message::FirmAddition(_) => 0,
            Message::OperatorNew(_) | Message::OperatorHeld(_) => 1,
            _ => 2,
        });
        told
    }
}

impl Referral {
    /// What remains once the operator has erased the inquiry: pending notices, and new ones to the firms that had accepted, since
    /// they have the visitor's contact details (Art. 19 GDPR). `None` if nothing remains.
    #[must_use]
    pub fn erased(&self, now: Timestamp) -> Option<Self> {
        let mut remains = self.clone();
        remains.status = Status::Erased(now);
        remains.forget();
        if !matches!(self.status, Status::Withdrawn(_) | Status::Erased(_)) {
            let accepted = self.numbered().filter(|(_, asked)| asked.answer.is_accepted());
            for (firm, _) in accepted {
                let notice = Delivery::new(Message::FirmErased(firm), now);
                remains.deliveries.push(notice);
            }
        }
        (!remains.is_over(now)).then_some(remains)
    }

    /// What remains of an erased inquiry of which nothing else is kept.
    pub fn gone(now: Timestamp) -> Self {
        let status = Status::Erased(now);
        Self {
            status,
            ..Self::default()
        }
    }

    /// Asks a firm that has accepted for the outcome, even if the list of firms is gone.
    pub fn ask_for_outcome(&mut self, acceptance: &Acceptance, now: Timestamp) {
        let known = self.asked.iter().position(|asked| asked.firm == acceptance.firm);
        let number = known.unwrap_or(self.asked.len());
        if known.is_none() {
            let mut asked = Asked::new(acceptance.firm.clone(), acceptance.at, SignedDuration::ZERO);
            asked.answer = Answer::Accepted(acceptance.at);
            asked.name = Some(acceptance.name.clone());
            self.asked.push(asked);
        }
        let question = Message::FirmOutcome(u8::try_from(number).unwrap_or(u8::MAX));
        self.deliveries.push(Delivery::new(question, now));
    }

    /// Drops the visitor's content, and cancels deliveries that wait or have failed unless they outlive the inquiry.
    fn forget(&mut self) {
        for delivery in &mut self.deliveries {
            let is_left = delivery.is_open() || delivery.state.is_failed();
            if is_left && !delivery.message.outlives_inquiry() {
                delivery.state = DeliveryState::Cancelled;
            }
        }
        self.addition.clear();
        (self.consent, self.calls_revoked) = (None, None);
        for asked in &mut self.asked {
            asked.review = None;
        }
        self.photos = None;
        self.casework = None;
    }
}
