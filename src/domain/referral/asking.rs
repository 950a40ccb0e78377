//! Asking firms: when an inquiry begins, when places become free, and on the operator's request.

use super::asked::{Answer, Asked, Pausing};
use super::change::{Refusal, Transition};
use super::message::{Event, Message};
use super::referral::Status;
use crate::domain::matching::FirmId;

/// The maximum number of firms asked, as many as a firm's number can count.
const MAX_ASKED: usize = 256;

impl Transition<'_> {
    /// Notifies the operator, the visitor and the first firms.
    pub fn begin(&mut self) {
        self.referral.status = Status::Active;
        self.referral
            .cancel(|message| matches!(message, Message::OperatorHeld(_)));
        self.tell_operator(Message::OperatorNew);
        self.notify(Message::Webhook(Event::Created));
        self.fill_places();
        if self.matching.policy.visitor_mail && self.may_confirm {
            self.send(if self.referral.is_unmatched {
                Message::VisitorNobody
            } else {
                Message::VisitorReceived
            });
        }
    }

    /// Asks one firm for each place without an acceptance or an open request. Cancels pending mails to firms that no longer need
    /// them.
    pub(super) fn fill_places(&mut self) {
        self.cancel_waiting();
        let Some(answers) = self.answers else { return };
        let asked = &self.referral.asked;
        if self.matching.policy.firms.is_empty() && asked.is_empty() {
            return;
        }
        let taken = |asked: &&Asked| asked.answer.is_accepted() || asked.answer == Answer::Pending;
        let free = self
            .matching
            .policy
            .offers
            .saturating_sub(asked.iter().filter(taken).count());
        let room = MAX_ASKED.saturating_sub(asked.len());
        let before = self.referral.asked_firms();
        for firm in self
            .matching
            .rotation
            .ask(answers, &before, free.min(room), self.now)
        {
            self.push(Asked::new(firm, self.now, self.matching.policy.answer_within));
        }
        self.tell_if_nobody_is_left();
    }

    /// Adds a firm and sends it the request.
    fn push(&mut self, asked: Asked) {
        let number = u8::try_from(self.referral.asked.len()).unwrap_or(u8::MAX);
        self.referral.asked.push(asked);
        self.send(Message::FirmRequest(number));
    }

    /// Notifies operator and visitor, once, that no firm takes the inquiry: none has accepted, and no request is open. If a firm
    /// has accepted, the visitor is served, and free places are no reason for an alarm.
    fn tell_if_nobody_is_left(&mut self) {
        let referral = &mut *self.referral;
        if referral.is_waiting() || referral.accepted() > 0 || referral.is_unmatched {
            return;
        }
        referral.is_unmatched = true;
        // If no firm could be asked, the visitor gets this mail instead of a confirmation. An address that gets no confirmation,
        // since a stranger may have typed it in, does not get this mail either.
        let was_confirmed =
            referral.sends(Message::VisitorReceived) && !referral.sends(Message::VisitorNobody);
        self.tell_operator(Message::OperatorUnmatched);
        self.notify(Message::Webhook(Event::Unmatched));
        if was_confirmed && self.matching.policy.visitor_mail {
            self.send(Message::VisitorNobody);
        }
    }

    /// Asks a firm even if it does not match, is paused or has reached its limit, but not twice unless it was passed over.
    pub(super) fn ask(&mut self, firm: &FirmId) -> Result<bool, Refusal> {
        if let Status::Quarantined(_) | Status::Released(_) = self.referral.status {
            return Err(Refusal::Held);
        }
        self.active()?;
        if !self.has_free_place() {
            return Err(Refusal::TooLate);
        }
        let before = self.referral.numbered().find(|(_, asked)| asked.firm == *firm);
        let before = before.map(|(number, asked)| (number, asked.answer));
        if before.is_some_and(|(_, answer)| !answer.is_passed_over()) {
            return Err(Refusal::AskedBefore);
        }
        if before.is_none() && self.referral.asked.len() >= MAX_ASKED {
            return Err(Refusal::TooManyAsked);
        }
        let rotation = &mut self.matching.rotation;
        if rotation.unreachable_since(firm).is_some() {
            return Err(Refusal::Unreachable);
        }
        if !rotation.ask_one(firm, self.now) {
            return Err(Refusal::UnknownFirm);
        }
        let asked = Asked {
            despite_pause: rotation.is_paused(firm, self.now).then_some(true),
            ..Asked::new(firm.clone(), self.now, self.matching.policy.answer_within)
        };
        self.referral.is_unmatched = false;
        let Some((number, _)) = before else {
            self.push(asked);
            return Ok(true);
        };
        if let Some(again) = self.referral.firm_mut(number) {
            *again = asked;
        }
        // A pending request to the firm would only repeat the new one.
        self.referral
            .cancel(|message| message == Message::FirmRequest(number));
        self.send(Message::FirmRequest(number));
        Ok(true)
    }

    /// Passes on the open request to a paused firm: at once if a server is running, otherwise at the next server's clock tick.
    pub(super) fn pass(&mut self, firm: &FirmId, pausing: Pausing) -> bool {
        if self.active().is_err() {
            return false;
        }
        let mut open = (0..=u8::MAX).zip(&mut self.referral.asked);
        let open = open.find(|(_, asked)| asked.firm == *firm && asked.is_passed_on(pausing));
        let Some((number, asked)) = open else {
            return false;
        };
        asked.reminder = None;
        asked.passed_on_by_pause = Some(true);
        if self.matching.is_serving {
            asked.answer = Answer::Silent;
        } else {
            asked.until = self.now;
        }
        self.referral
            .cancel(|message| message == Message::FirmRequest(number));
        if self.matching.is_serving {
            self.fill_places();
        }
        true
    }

    /// Asks firms that can take the inquiry now, if a place is free and no request is open. If there are no such firms, no one is
    /// notified.
    pub(super) fn rematch(&mut self) -> bool {
        let can_be_matched = self.referral.can_be_matched(&self.matching.policy);
        let Some(answers) = self.answers.filter(|_| can_be_matched) else {
            return false;
        };
        let before = self.referral.asked_firms();
        if self
            .matching
            .rotation
            .preview(answers, &before, 1, self.now)
            .is_empty()
        {
            return false;
        }
        self.referral.is_unmatched = false;
        self.fill_places();
        true
    }

    /// Fills free places once the answers have changed, even while requests are open. Nobody is notified if no firm matches.
    pub(super) fn match_again(&mut self) {
        let before = (self.referral.asked.len(), self.referral.is_unmatched);
        self.referral.is_unmatched = true;
        self.fill_places();
        self.referral.is_unmatched = before.1 && self.referral.asked.len() == before.0;
    }
}
