//! What the operator does about the firms of an inquiry: asking one by hand, passing on what a paused one has not answered, and
//! matching again when firms have changed.

use jiff::Timestamp;

use super::asked::{Answer, Asked, Pausing};
use super::begin::MAX_ASKED;
use super::change::Refusal;
use super::message::Message;
use super::policy::MatchingState;
use super::referral::{Referral, Status};
use crate::domain::inquiry::Answers;
use crate::domain::matching::FirmId;

impl Referral {
    /// Asks a firm, whether or not it matches, is paused or has had enough; none twice, unless it was passed over.
    pub(super) fn ask(
        &mut self,
        firm: &FirmId,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        now: Timestamp,
    ) -> Result<bool, Refusal> {
        if let Status::Quarantined | Status::Released(_) = self.status {
            return Err(Refusal::Held);
        }
        self.must_be_active()?;
        answers.ok_or(Refusal::Unknown)?;
        if !self.has_free_place(&matching.policy) {
            return Err(Refusal::TooLate);
        }
        let before = self.numbered().find(|(_, asked)| asked.firm == *firm);
        let before = before.map(|(number, asked)| (number, asked.answer));
        if before.is_some_and(|(_, answer)| !answer.is_passed_over()) {
            return Err(Refusal::AskedBefore);
        }
        if before.is_none() && self.asked.len() >= MAX_ASKED {
            return Err(Refusal::TooManyAsked);
        }
        if matching.rotation.unreachable_since(firm).is_some() {
            return Err(Refusal::Unreachable);
        }
        if !matching.rotation.ask_one(firm, now) {
            return Err(Refusal::UnknownFirm);
        }
        let is_paused = matching.rotation.is_paused(firm, now);
        let asked = Asked {
            despite_pause: is_paused.then_some(true),
            ..Asked::new(firm.clone(), now, matching.policy.answer_within)
        };
        let number = before.map_or(self.asked.len(), |(number, _)| usize::from(number));
        if let Some(again) = self.asked.get_mut(number) {
            *again = asked;
        } else {
            self.asked.push(asked);
        }
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        // A request to it that has failed or waits says the same.
        self.cancel(|message| message == Message::FirmRequest(number));
        self.is_unmatched = false;
        self.send(Message::FirmRequest(number), now);
        Ok(true)
    }

    /// Passes on an open question to a firm, at once where a server runs, and otherwise when the next one looks at the clock.
    pub(super) fn pass(
        &mut self,
        firm: &FirmId,
        pausing: Pausing,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        now: Timestamp,
    ) -> bool {
        if self.status != Status::Active {
            return false;
        }
        let mut open = self.asked.iter_mut().enumerate();
        let open = open.find(|(_, asked)| asked.firm == *firm && asked.is_passed_on(pausing));
        let (Some((number, asked)), Some(answers)) = (open, answers) else {
            return false;
        };
        asked.reminder = None;
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        self.cancel(|message| message == Message::FirmRequest(number));
        let Some(asked) = self.asked.get_mut(usize::from(number)) else {
            return false;
        };
        asked.passed_on_by_pause = Some(true);
        if matching.is_serving {
            asked.answer = Answer::Silent;
            self.cancel_waiting(matching);
            self.fill_places(answers, matching, now);
        } else {
            asked.until = now;
        }
        true
    }

    /// Asks firms that can take the inquiry now, if a place is free and no request is open. Without any, nobody is notified.
    pub(super) fn rematch(
        &mut self,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        now: Timestamp,
    ) -> bool {
        let Some(answers) = answers.filter(|_| self.can_be_matched(&matching.policy)) else {
            return false;
        };
        let before: Vec<FirmId> = self.asked.iter().map(|asked| asked.firm.clone()).collect();
        if matching.rotation.preview(answers, &before, 1, now).is_empty() {
            return false;
        }
        self.is_unmatched = false;
        self.fill_places(answers, matching, now);
        true
    }
}
