//! The effects of time and of deliveries on a referral.

use jiff::Timestamp;

use super::asked::Answer;
use super::change::Transition;
use super::delivery::{Delivery, DeliveryState, Outcome};
use super::message::Message;
use super::referral::{KEPT_AFTER_WITHDRAWAL, Referral, Status};

impl Referral {
    /// Whether the referral can be dropped: the page of a withdrawn inquiry has been kept long enough, or after an erasure every
    /// firm was notified or cannot be reached.
    pub fn is_over(&self, now: Timestamp) -> bool {
        let is_waiting = self.deliveries.iter().any(Delivery::is_open);
        let has_failed = self.count(DeliveryState::is_failed) > 0;
        let is_past = |at: Timestamp| now >= at.saturating_add(KEPT_AFTER_WITHDRAWAL).unwrap_or(at);
        match self.status {
            Status::Active | Status::Quarantined(_) | Status::Released(_) => false,
            Status::Withdrawn(at) => is_past(at),
            // Failures are kept for the operator to see.
            Status::Erased(at) | Status::Notice(at) => is_past(at) || (!is_waiting && !has_failed),
        }
    }
}

impl Transition<'_> {
    pub(super) fn tick(&mut self) -> bool {
        match self.referral.status {
            _ if self.answers.is_none() => false,
            Status::Released(_) => {
                self.begin();
                true
            }
            Status::Active => {
                let is_passed_over = self.pass_over();
                self.remind() || is_passed_over
            }
            Status::Quarantined(_) | Status::Withdrawn(_) | Status::Erased(_) | Status::Notice(_) => false,
        }
    }

    /// Passes over the firms that have not answered in time, and asks the next ones. A firm whose mail could not be delivered yet
    /// does not count as asked.
    fn pass_over(&mut self) -> bool {
        let (mut is_changed, mut is_passed_over) = (false, false);
        let (now, rotation) = (self.now, &self.matching.rotation);
        for (number, asked) in (0..=u8::MAX).zip(&mut self.referral.asked) {
            if asked.answer != Answer::Pending || asked.until > now {
                continue;
            }
            is_changed = true;
            let request = Message::FirmRequest(number);
            let is_tried_again = self.referral.deliveries.iter().any(|delivery| {
                delivery.message == request && delivery.attempts > 0 && delivery.due().is_some()
            });
            let is_unreachable = rotation.unreachable_since(&asked.firm).is_some();
            // Do not wait for firms that are no longer configured, since they get no mail, or that are paused or unreachable.
            let is_waited_for =
                rotation.get(&asked.firm).is_some() && !asked.is_paused(rotation, now) && !is_unreachable;
            if is_tried_again && is_waited_for {
                let within = self.matching.policy.answer_within;
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
            self.fill_places();
        }
        is_changed
    }

    /// Reminds each firm once before its time ends. The time of a firm whose mail has not been sent has not begun.
    fn remind(&mut self) -> bool {
        let mut due = Vec::new();
        for (number, asked) in (0..=u8::MAX).zip(&mut self.referral.asked) {
            if asked.answer == Answer::Pending && asked.remind_at().is_some_and(|at| at <= self.now) {
                asked.reminder = None;
                due.push((number, self.matching.rotation.get(&asked.firm).is_some()));
            }
        }
        for &(number, is_configured) in &due {
            let mut deliveries = self.referral.deliveries.iter();
            let is_untold = deliveries
                .any(|delivery| delivery.message == Message::FirmRequest(number) && delivery.is_open());
            if is_configured && !is_untold {
                self.send(Message::FirmReminder(number));
            }
        }
        !due.is_empty()
    }

    pub(super) fn settle(&mut self, number: u16, outcome: &Outcome) -> bool {
        let Some(delivery) = self.referral.deliveries.get_mut(usize::from(number)) else {
            return false;
        };
        let is_changed = delivery.settle(outcome, self.now, self.is_retaken);
        let (message, state) = (delivery.message, delivery.state);
        let mut answer = Answer::Silent;
        let mut is_news = false;
        let refused = outcome
            .as_ref()
            .err()
            .and_then(|failure| failure.refused.as_ref());
        if let (Some(address), Some(firm)) = (refused, message.to_firm()) {
            answer = Answer::Unreachable;
            is_news = self.note_refusal(firm, address);
        }
        if let Message::FirmRequest(firm) = message
            && self.referral.status == Status::Active
        {
            match state {
                DeliveryState::Delivered(_) => self.note_told(firm),
                DeliveryState::Failed(_) => self.pass_on_untold(firm, answer),
                DeliveryState::Waiting(_) | DeliveryState::Cancelled | DeliveryState::Held(_) => {}
            }
        }
        is_changed || is_news
    }

    /// Notifies the operator when a firm's address is refused for the first time; returns whether this was the first time.
    fn note_refusal(&mut self, firm: u8, address: &str) -> bool {
        let rotation = &mut self.matching.rotation;
        let asked = self.referral.firm(firm);
        let is_first = asked.is_some_and(|asked| rotation.refuse(&asked.firm, address, self.now));
        if is_first {
            self.tell_operator(|mailbox| Message::OperatorUnreachable(firm, mailbox));
        }
        is_first
    }

    /// Starts a firm's time to answer with the delivery of its mail, even if the mail server was down for days.
    fn note_told(&mut self, firm: u8) {
        let (now, within) = (self.now, self.matching.policy.answer_within);
        let has_free_place = self.has_free_place();
        let Some(asked) = self.referral.firm_mut(firm) else {
            return;
        };
        let until = asked.until_if_told(now, within);
        match asked.answer {
            Answer::Pending => asked.set_until(until, within),
            Answer::Silent | Answer::Unreachable
                if has_free_place && until > now && !asked.is_paused(&self.matching.rotation, now) =>
            {
                asked.set_until(until, within);
                asked.answer = Answer::Pending;
                asked.passed_on_by_pause = None;
                self.referral.is_unmatched = false;
            }
            Answer::Silent | Answer::Unreachable | Answer::Accepted(_) | Answer::Declined(_) => {}
        }
    }

    /// Passes over a firm that did not get its request, so that other firms can be asked.
    fn pass_on_untold(&mut self, firm: u8, answer: Answer) {
        let asked = self.referral.firm_mut(firm).filter(|_| self.answers.is_some());
        let Some(asked) = asked.filter(|asked| matches!(asked.answer, Answer::Pending | Answer::Silent))
        else {
            return;
        };
        let was_pending = asked.answer == Answer::Pending;
        asked.answer = answer;
        if was_pending {
            self.fill_places();
        }
    }
}
