//! What remains when an inquiry is withdrawn or erased: who must still be told.

use jiff::Timestamp;

use super::change::{Moment, Refusal};
use super::delivery::DeliveryState;
use super::message::{Event, Message};
use super::plan::Desk;
use super::referral::{Referral, Status};

impl Referral {
    /// Ends the referral at the visitor's wish: stops what was not sent and tells everybody who had the inquiry. The store
    /// erases its fields in the same transaction.
    pub(super) fn withdraw(&mut self, desk: &Desk, moment: &Moment<'_>) -> Result<bool, Refusal> {
        let now = moment.now;
        match self.status {
            Status::Active | Status::Held | Status::Released(_) => {}
            // A second press of the button.
            Status::Withdrawn(_) => return Ok(false),
            Status::Erased(_) => return Err(Refusal::Unknown),
        }
        let informed = self.informed_firms(moment.under_way);
        let operator_has_mail = self.may_have(Message::OperatorNew, moment.under_way);
        let webhook_knows = self.may_have(Message::Webhook(Event::Created), moment.under_way);
        self.status = Status::Withdrawn(now);
        self.give_up(|_| true);
        self.forget_texts();
        for firm in informed {
            self.send(Message::FirmWithdrawn(firm), now);
        }
        if operator_has_mail && desk.plan.operator_mail {
            self.send(Message::OperatorWithdrawn, now);
        }
        if webhook_knows {
            self.notify(Event::Withdrawn, desk, now);
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

    /// Returns the firms that may have the inquiry.
    fn informed_firms(&self, under_way: &[u16]) -> Vec<u8> {
        let numbers = self.numbered().map(|(firm, _)| firm);
        numbers
            .filter(|&firm| self.may_have(Message::FirmRequest(firm), under_way))
            .collect()
    }

    /// Returns whether a message may have arrived.
    fn may_have(&self, message: Message, under_way: &[u16]) -> bool {
        let mut numbered = (0..=u16::MAX).zip(&self.deliveries);
        numbered.any(|(number, delivery)| {
            delivery.message == message && (delivery.may_have_arrived() || under_way.contains(&number))
        })
    }

    /// Stops deliveries that wait, and those that have failed: nobody may try them again.
    fn give_up(&mut self, is_meant: impl Fn(Message) -> bool) {
        self.cancel(&is_meant);
        for delivery in &mut self.deliveries {
            if matches!(delivery.state, DeliveryState::Failed(_)) && is_meant(delivery.message) {
                delivery.state = DeliveryState::Cancelled;
            }
        }
    }

    fn forget_texts(&mut self) {
        self.addition.clear();
        self.consent = None;
    }
}
