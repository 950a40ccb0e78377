//! How a referral begins, and how the next firms are asked.

use jiff::Timestamp;

use super::asked::{Answer, Asked};
use super::change::ChangeContext;
use super::message::{Event, Mailbox, Message};
use super::policy::MatchingState;
use super::referral::{NewReferral, Referral, Status};
use crate::domain::inquiry::Answers;
use crate::domain::matching::FirmId;

/// How many firms are asked at most: as many as a firm's number can count.
pub(super) const MAX_ASKED: usize = 256;

impl Referral {
    /// Creates the referral of a new inquiry. Suspected spam waits for the operator.
    pub fn new(new: NewReferral, is_suspected: bool) -> Self {
        Self {
            status: if is_suspected {
                Status::Quarantined
            } else {
                Status::Active
            },
            consent: new.consent,
            addition: new.addition,
            ..Self::default()
        }
    }

    /// Notifies the operator that the inquiry is held.
    pub fn tell_held(&mut self, matching: &MatchingState, now: Timestamp) {
        self.tell_operator(Message::OperatorHeld, matching, now);
    }

    /// Notifies operator, visitor and the first firms.
    pub fn begin(&mut self, answers: &Answers, matching: &mut MatchingState, context: &ChangeContext<'_>) {
        let now = context.now;
        self.status = Status::Active;
        self.cancel(|message| matches!(message, Message::OperatorHeld(_)));
        self.tell_operator(Message::OperatorNew, matching, now);
        self.notify(Event::Created, matching, now);
        self.fill_places(answers, matching, now);
        if matching.policy.visitor_mail && context.may_confirm {
            let message = if self.is_unmatched {
                Message::VisitorNobody
            } else {
                Message::VisitorReceived
            };
            self.send(message, now);
        }
    }

    /// Asks as many firms as there are places without an acceptance or an open request.
    pub(super) fn fill_places(&mut self, answers: &Answers, matching: &mut MatchingState, now: Timestamp) {
        if matching.policy.firms.is_empty() && self.asked.is_empty() {
            return;
        }
        let taken = |asked: &&Asked| asked.answer.is_accepted() || asked.answer == Answer::Pending;
        let free = matching
            .policy
            .offers
            .saturating_sub(self.asked.iter().filter(taken).count());
        let room = MAX_ASKED.saturating_sub(self.asked.len());
        if free > 0 {
            let before: Vec<FirmId> = self.asked.iter().map(|asked| asked.firm.clone()).collect();
            for firm in matching.rotation.ask(answers, &before, free.min(room), now) {
                let number = u8::try_from(self.asked.len()).unwrap_or(u8::MAX);
                self.asked
                    .push(Asked::new(firm, now, matching.policy.answer_within));
                self.send(Message::FirmRequest(number), now);
            }
        }
        self.tell_if_nobody_is_left(matching, now);
    }

    /// Notifies operator and visitor, once, that no firm takes the inquiry: no firm has accepted, and none is left that could. Where
    /// one has, the visitor is served, and free places raise no alarm.
    fn tell_if_nobody_is_left(&mut self, matching: &MatchingState, now: Timestamp) {
        let waits = self.asked.iter().any(|asked| asked.answer == Answer::Pending);
        if waits || self.accepted() > 0 || self.is_unmatched {
            return;
        }
        self.is_unmatched = true;
        self.tell_operator(Message::OperatorUnmatched, matching, now);
        self.notify(Event::Unmatched, matching, now);
        // When no firm was asked, the visitor gets this instead of a confirmation. An address that gets no confirmation,
        // since strangers may have typed it in, does not get this either.
        let was_confirmed = self.sends(Message::VisitorReceived) && !self.sends(Message::VisitorNobody);
        if was_confirmed && matching.policy.visitor_mail {
            self.send(Message::VisitorNobody, now);
        }
    }

    /// Notifies each of the operator's mailboxes.
    pub(super) fn tell_operator(
        &mut self,
        message: impl Fn(Mailbox) -> Message,
        matching: &MatchingState,
        now: Timestamp,
    ) {
        for number in 0..matching.policy.operator_mailboxes {
            self.send(message(Some(number)), now);
        }
    }

    /// Notifies the operator's webhook of a firm's answer.
    pub(super) fn notify_of(&mut self, event: Event, firm: u8, matching: &MatchingState, now: Timestamp) {
        if matching.policy.webhook {
            self.send(Message::FirmWebhook(event, firm), now);
        }
    }

    /// Notifies the operator's webhook.
    pub(super) fn notify(&mut self, event: Event, matching: &MatchingState, now: Timestamp) {
        if matching.policy.webhook {
            self.send(Message::Webhook(event), now);
        }
    }
}
