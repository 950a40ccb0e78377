//! What follows from the passing of time and from deliveries.

use jiff::Timestamp;

use super::asked::Answer;
use super::change::ChangeContext;
use super::delivery::{Delivery, DeliveryState, Outcome};
use super::message::Message;
use super::policy::MatchingState;
use super::referral::{KEPT_AFTER_WITHDRAWAL, Referral, Status};
use crate::domain::inquiry::Answers;

impl Referral {
    /// Whether nothing of it is needed any more: the page of a withdrawn inquiry has said so long enough, and
    /// after an erasure every firm was notified or cannot be reached.
    pub fn is_over(&self, now: Timestamp) -> bool {
        let is_waiting = self.deliveries.iter().any(Delivery::is_open);
        let has_failed = self.count(DeliveryState::is_failed) > 0;
        let is_past = |at: Timestamp| now >= at.saturating_add(KEPT_AFTER_WITHDRAWAL).unwrap_or(at);
        match self.status {
            Status::Active | Status::Quarantined | Status::Released(_) => false,
            Status::Withdrawn(at) => is_past(at),
            // What failed stays for the operator to see.
            Status::Erased(at) | Status::Notice(at) => is_past(at) || (!is_waiting && !has_failed),
        }
    }

    pub(super) fn tick(
        &mut self,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        context: &ChangeContext<'_>,
    ) -> bool {
        let Some(answers) = answers else { return false };
        match self.status {
            Status::Released(_) => {
                self.begin(answers, matching, context);
                true
            }
            Status::Active => {
                let is_passed_over = self.pass_over(answers, matching, context.now);
                self.remind(matching, context.now) || is_passed_over
            }
            Status::Quarantined | Status::Withdrawn(_) | Status::Erased(_) | Status::Notice(_) => false,
        }
    }

    /// Passes over the firms that have not answered in time, and asks the next ones. One whose mail could not be delivered
    /// so far has not been asked yet.
    fn pass_over(&mut self, answers: &Answers, matching: &mut MatchingState, now: Timestamp) -> bool {
        let (mut is_changed, mut is_passed_over) = (false, false);
        for (number, asked) in (0..=u8::MAX).zip(&mut self.asked) {
            if asked.answer != Answer::Pending || asked.until > now {
                continue;
            }
            is_changed = true;
            let request = Message::FirmRequest(number);
            let is_tried_again = self.deliveries.iter().any(|delivery| {
                delivery.message == request && delivery.attempts > 0 && delivery.due().is_some()
            });
            let is_unreachable = matching.rotation.unreachable_since(&asked.firm).is_some();
            // A firm removed from the configuration gets no mail, and paused or unreachable firms are not waited for.
            let is_waited_for = matching.rotation.get(&asked.firm).is_some()
                && !asked.is_paused(&matching.rotation, now)
                && !is_unreachable;
            if is_tried_again && is_waited_for {
                let within = matching.policy.answer_within;
                asked.set_until(now.saturating_add(within).unwrap_or(now), within);
            } else {
                asked.answer = if is_unreachable {
                    Answer::Unreachable
                } else {
                    Answer::Silent
                };
                is_passed_over = true;
            }
        }
        if is_passed_over {
            self.cancel_waiting(matching);
            self.fill_places(answers, matching, now);
        }
        is_changed
    }

    /// Reminds the firms whose time ends soon, each once. One whose mail has not left has its time before it.
    fn remind(&mut self, matching: &MatchingState, now: Timestamp) -> bool {
        let due = self.numbered().filter(|(_, asked)| {
            asked.answer == Answer::Pending && asked.remind_at().is_some_and(|at| at <= now)
        });
        let due: Vec<u8> = due.map(|(number, _)| number).collect();
        for &number in &due {
            let Some(asked) = self.asked.get_mut(usize::from(number)) else {
                continue;
            };
            asked.reminder = None;
            let is_configured = matching.rotation.get(&asked.firm).is_some();
            let is_told = !self
                .deliveries
                .iter()
                .any(|delivery| delivery.message == Message::FirmRequest(number) && delivery.is_open());
            if is_configured && is_told {
                self.send(Message::FirmReminder(number), now);
            }
        }
        !due.is_empty()
    }

    pub(super) fn settle(
        &mut self,
        number: u16,
        outcome: &Outcome,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        context: &ChangeContext<'_>,
    ) -> bool {
        let Some(delivery) = self.deliveries.get_mut(usize::from(number)) else {
            return false;
        };
        let is_changed = delivery.settle(outcome, context.into());
        let (message, state) = (delivery.message, delivery.state);
        let mut answer = Answer::Silent;
        let mut is_news = false;
        if let (Outcome::Refused { address, .. }, Some(firm)) = (outcome, message.to_firm()) {
            answer = Answer::Unreachable;
            is_news = self.note_refusal(firm, address, matching, context.now);
        }
        match state {
            DeliveryState::Delivered(_) => self.note_told(message, matching, context.now),
            DeliveryState::Failed(_) => self.pass_on_untold(message, answer, answers, matching, context.now),
            DeliveryState::Waiting(_) | DeliveryState::Cancelled | DeliveryState::Suspended(_) => {}
        }
        is_changed || is_news
    }

    /// Tells the operator of the first refusal of a firm's address; returns whether it was.
    fn note_refusal(
        &mut self,
        firm: u8,
        address: &str,
        matching: &mut MatchingState,
        now: Timestamp,
    ) -> bool {
        let Some(asked) = self.firm(firm) else {
            return false;
        };
        let is_first = matching.rotation.refuse(&asked.firm, address, now);
        if is_first {
            self.tell_operator(
                |mailbox| Message::OperatorUnreachable(firm, mailbox),
                matching,
                now,
            );
        }
        is_first
    }

    /// A firm's time to answer starts when it was asked, even if the mail server was down for days.
    fn note_told(&mut self, message: Message, matching: &MatchingState, now: Timestamp) {
        let Message::FirmRequest(firm) = message else {
            return;
        };
        let has_free_place = self.has_free_place(&matching.policy);
        let asked = self.asked.get_mut(usize::from(firm));
        let Some(asked) = asked.filter(|_| self.status == Status::Active) else {
            return;
        };
        let until = asked.until_if_told(now, matching.policy.answer_within);
        match asked.answer {
            Answer::Pending => asked.set_until(until, matching.policy.answer_within),
            Answer::Silent | Answer::Unreachable
                if has_free_place && until > now && !asked.is_paused(&matching.rotation, now) =>
            {
                asked.set_until(until, matching.policy.answer_within);
                asked.answer = Answer::Pending;
                self.is_unmatched = false;
                asked.passed_on_by_pause = None;
            }
            Answer::Silent | Answer::Unreachable | Answer::Accepted(_) | Answer::Declined(_) => {}
        }
    }

    /// A firm that did not get its request does not keep others from being asked.
    fn pass_on_untold(
        &mut self,
        message: Message,
        answer: Answer,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        now: Timestamp,
    ) {
        let Message::FirmRequest(firm) = message else {
            return;
        };
        let asked = self.asked.get_mut(usize::from(firm));
        if let Some(asked) = asked.filter(|asked| matches!(asked.answer, Answer::Pending | Answer::Silent))
            && let Some(answers) = answers
            && self.status == Status::Active
        {
            let was_pending = asked.answer == Answer::Pending;
            asked.answer = answer;
            if was_pending {
                self.cancel_waiting(matching);
                self.fill_places(answers, matching, now);
            }
        }
    }
}
