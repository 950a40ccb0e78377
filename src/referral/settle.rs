//! What follows from time and from deliveries.

use jiff::Timestamp;

use super::asked::Answer;
use super::change::Moment;
use super::delivery::{Delivery, DeliveryState, Outcome};
use super::message::Message;
use super::plan::Desk;
use super::referral::{KEPT_AFTER_WITHDRAWAL, Referral, Status};
use crate::inquiry::Answers;

impl Referral {
    /// Returns whether nothing of it is needed any more: the page of a withdrawn inquiry has said so long enough, and
    /// after an erasure every firm was told or cannot be reached.
    pub fn is_over(&self, now: Timestamp) -> bool {
        let is_waiting = self.deliveries.iter().any(Delivery::is_open);
        let has_failed = self
            .deliveries
            .iter()
            .any(|delivery| matches!(delivery.state, DeliveryState::Failed(_)));
        let is_past = |at: Timestamp| now >= at.saturating_add(KEPT_AFTER_WITHDRAWAL).unwrap_or(at);
        match self.status {
            Status::Active | Status::Held | Status::Released(_) => false,
            Status::Withdrawn(at) => is_past(at),
            // What failed stays for the operator to see.
            Status::Erased(at) => is_past(at) || (!is_waiting && !has_failed),
        }
    }

    pub(super) fn tick(&mut self, answers: Option<&Answers>, desk: &mut Desk, moment: &Moment<'_>) -> bool {
        let Some(answers) = answers else { return false };
        match self.status {
            Status::Released(_) => {
                self.begin(answers, desk, moment);
                true
            }
            Status::Active => self.pass_over(answers, desk, moment.now),
            Status::Held | Status::Withdrawn(_) | Status::Erased(_) => false,
        }
    }

    /// Passes over the firms that have not answered in time, and asks the next ones.
    fn pass_over(&mut self, answers: &Answers, desk: &mut Desk, now: Timestamp) -> bool {
        let mut is_changed = false;
        for asked in &mut self.asked {
            if asked.answer == Answer::Pending && asked.until <= now {
                asked.answer = Answer::Silent;
                is_changed = true;
            }
        }
        if is_changed {
            self.cancel_additions(desk);
            self.fill_places(answers, desk, now);
        }
        is_changed
    }

    pub(super) fn settle(
        &mut self,
        number: u16,
        outcome: &Outcome,
        answers: Option<&Answers>,
        desk: &mut Desk,
        moment: &Moment<'_>,
    ) -> bool {
        let Some(delivery) = self.deliveries.get_mut(usize::from(number)) else {
            return false;
        };
        let is_changed = delivery.settle(outcome, moment.into());
        if matches!(delivery.state, DeliveryState::Failed(_)) {
            let message = delivery.message;
            self.pass_over_unreachable(message, answers, desk, moment.now);
        }
        is_changed
    }

    /// A firm that cannot be reached does not keep others from being asked.
    fn pass_over_unreachable(
        &mut self,
        message: Message,
        answers: Option<&Answers>,
        desk: &mut Desk,
        now: Timestamp,
    ) {
        let Message::FirmRequest(firm) = message else {
            return;
        };
        let asked = self.asked.get_mut(usize::from(firm));
        if let Some(asked) = asked.filter(|asked| asked.answer == Answer::Pending)
            && let Some(answers) = answers
            && self.status == Status::Active
        {
            asked.answer = Answer::Silent;
            self.cancel_additions(desk);
            self.fill_places(answers, desk, now);
        }
    }
}
