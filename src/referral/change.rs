//! What may happen to a referral, and when it may not.

use jiff::Timestamp;

use super::asked::Answer;
use super::delivery::{DeliveryState, Outcome, Settling};
use super::message::{Event, Message};
use super::plan::Desk;
use super::referral::{MAX_ADDITION, Referral, Status};
use crate::inquiry::Answers;

/// How many mails about additions a firm gets for one inquiry, at most: a visitor who changes the text again and again
/// must not fill its mailbox. Its private page always shows the latest.
const MAX_ADDITION_MAILS: usize = 3;

/// Something that happens to a referral. Firms and deliveries are named by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A firm accepts.
    Accept(u8),
    /// A firm declines.
    Decline(u8),
    /// The visitor replaces what firms should know beyond the fields.
    Add(String),
    /// The visitor withdraws the inquiry.
    Withdraw,
    /// The operator says that it is no robot's.
    Release,
    /// Time has passed.
    Tick,
    /// A delivery was tried.
    Settle(u16, Outcome),
    /// The operator wants a delivery that waits or has failed to be tried now; `None` for all.
    Retry(Option<u16>),
}

/// When a change happens.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The time.
    pub now: Timestamp,
    /// Whether the visitor may get a confirmation: an address gets only so many a day.
    pub may_confirm: bool,
    /// The deliveries that are being tried right now.
    pub under_way: &'a [u16],
    /// When the store was opened ([`Settling::opened_at`]).
    pub opened_at: Timestamp,
}

impl From<&Moment<'_>> for Settling {
    fn from(moment: &Moment<'_>) -> Self {
        Self {
            now: moment.now,
            opened_at: moment.opened_at,
        }
    }
}

/// Why something cannot happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such inquiry, or it was erased.
    #[error("there is no such inquiry")]
    Unknown,
    /// What the store has of it cannot be read.
    #[error("the inquiry cannot be read, the store is damaged")]
    Damaged,
    /// The visitor has withdrawn it.
    #[error("the inquiry was withdrawn")]
    Withdrawn,
    /// As many firms as wanted have accepted.
    #[error("enough firms have accepted")]
    TooLate,
    /// The firm has answered before.
    #[error("the firm has answered before")]
    Answered,
    /// The addition is too long.
    #[error("the text is longer than 2,000 characters")]
    TooLong,
    /// It is not held back.
    #[error("the inquiry is not held back")]
    NotHeld,
    /// There is nothing to be tried again.
    #[error("there is no such delivery that waits or has failed")]
    NotFailed,
}

impl Referral {
    /// Applies a change to the referral of an inquiry with these answers; `None` once they are erased. Returns whether
    /// anything has changed.
    ///
    /// # Errors
    /// When it cannot happen; then nothing has changed.
    pub fn apply(
        &mut self,
        change: &Change,
        answers: Option<&Answers>,
        desk: &mut Desk,
        moment: &Moment<'_>,
    ) -> Result<bool, Refusal> {
        let now = moment.now;
        match change {
            Change::Accept(firm) => self.accept(*firm, answers, desk, now),
            Change::Decline(firm) => self.decline(*firm, answers, desk, now),
            Change::Add(text) => self.add(text, desk, now),
            Change::Withdraw => self.withdraw(desk, moment),
            Change::Release => self.release(now),
            Change::Tick => Ok(self.tick(answers, desk, moment)),
            Change::Settle(number, outcome) => Ok(self.settle(*number, outcome, answers, desk, moment)),
            Change::Retry(number) => self.retry(*number, now),
        }
    }

    fn accept(
        &mut self,
        firm: u8,
        answers: Option<&Answers>,
        desk: &mut Desk,
        now: Timestamp,
    ) -> Result<bool, Refusal> {
        self.must_be_active()?;
        let answers = answers.ok_or(Refusal::Unknown)?;
        let has_free_place = self.has_free_place(&desk.plan);
        let asked = self.asked.get_mut(usize::from(firm)).ok_or(Refusal::Unknown)?;
        // The operator no longer works with it.
        let is_gone = desk.roster.get(&asked.firm).is_none();
        match asked.answer {
            // A second press of the button.
            Answer::Accepted(_) => return Ok(false),
            Answer::Declined(_) => return Err(Refusal::Answered),
            Answer::Pending | Answer::Silent if !has_free_place || is_gone => return Err(Refusal::TooLate),
            Answer::Pending | Answer::Silent => asked.answer = Answer::Accepted(now),
        }
        let is_full = !self.has_free_place(&desk.plan);
        // Once all places are taken, nobody else is asked in vain, or told more.
        self.cancel(|message| matches!(message, Message::FirmRequest(other) if is_full || other == firm));
        self.cancel_additions(desk);
        if desk.plan.visitor_mail {
            self.send(Message::VisitorAccepted(firm), now);
        }
        self.notify(Event::Accepted, desk, now);
        // Those that are asked may be fewer than wanted by now.
        self.fill_places(answers, desk, now);
        Ok(true)
    }

    fn decline(
        &mut self,
        firm: u8,
        answers: Option<&Answers>,
        desk: &mut Desk,
        now: Timestamp,
    ) -> Result<bool, Refusal> {
        self.must_be_active()?;
        let answers = answers.ok_or(Refusal::Unknown)?;
        let asked = self.asked.get_mut(usize::from(firm)).ok_or(Refusal::Unknown)?;
        match asked.answer {
            Answer::Declined(_) => return Ok(false),
            Answer::Accepted(_) => return Err(Refusal::Answered),
            Answer::Pending | Answer::Silent => asked.answer = Answer::Declined(now),
        }
        self.cancel(|message| [Message::FirmRequest(firm), Message::FirmAddition(firm)].contains(&message));
        self.notify(Event::Declined, desk, now);
        self.fill_places(answers, desk, now);
        Ok(true)
    }

    fn add(&mut self, text: &str, desk: &Desk, now: Timestamp) -> Result<bool, Refusal> {
        match self.status {
            Status::Active | Status::Held | Status::Released(_) => {}
            Status::Withdrawn(_) => return Err(Refusal::Withdrawn),
            Status::Erased(_) => return Err(Refusal::Unknown),
        }
        if text.chars().count() > MAX_ADDITION {
            return Err(Refusal::TooLong);
        }
        if text == self.addition {
            return Ok(false);
        }
        text.clone_into(&mut self.addition);
        for firm in self.firms_to_update(desk) {
            self.send(Message::FirmAddition(firm), now);
        }
        Ok(true)
    }

    /// Returns the firms whose mail about the inquiry lacks the latest addition, and that are to have it.
    fn firms_to_update(&self, desk: &Desk) -> Vec<u8> {
        let waits = |message| {
            self.deliveries
                .iter()
                .any(|delivery| delivery.message == message && delivery.attempts == 0 && delivery.is_open())
        };
        let mails = |message| {
            self.deliveries
                .iter()
                .filter(|delivery| delivery.message == message)
                .count()
        };
        let needs = |firm| {
            !waits(Message::FirmRequest(firm))
                && !waits(Message::FirmAddition(firm))
                && mails(Message::FirmAddition(firm)) < MAX_ADDITION_MAILS
        };
        let told = self.firms_told_more(desk).into_iter();
        told.filter(|&firm| needs(firm)).collect()
    }

    /// Returns the firms that hear of additions by mail: those that have accepted, and those that are asked while they still can.
    /// One that was passed over may read them on its page, and decides there.
    fn firms_told_more(&self, desk: &Desk) -> Vec<u8> {
        let has_free_place = self.has_free_place(&desk.plan);
        let told = self.numbered().filter(|(_, asked)| match asked.answer {
            Answer::Accepted(_) => true,
            Answer::Pending => has_free_place && desk.roster.get(&asked.firm).is_some(),
            Answer::Declined(_) | Answer::Silent => false,
        });
        told.map(|(firm, _)| firm).collect()
    }

    /// Stops mails about additions that wait for firms which are told no more.
    pub(super) fn cancel_additions(&mut self, desk: &Desk) {
        let told = self.firms_told_more(desk);
        self.cancel(|message| matches!(message, Message::FirmAddition(firm) if !told.contains(&firm)));
    }

    fn release(&mut self, now: Timestamp) -> Result<bool, Refusal> {
        if self.status != Status::Held {
            return Err(Refusal::NotHeld);
        }
        self.status = Status::Released(now);
        Ok(true)
    }

    fn retry(&mut self, number: Option<u16>, now: Timestamp) -> Result<bool, Refusal> {
        let mut is_changed = false;
        for (at, delivery) in (0..=u16::MAX).zip(&mut self.deliveries) {
            if number.is_none_or(|number| number == at) {
                is_changed |= delivery.retry(now);
            }
        }
        if is_changed {
            Ok(true)
        } else {
            Err(Refusal::NotFailed)
        }
    }

    fn must_be_active(&self) -> Result<(), Refusal> {
        match self.status {
            Status::Active => Ok(()),
            Status::Withdrawn(_) => Err(Refusal::Withdrawn),
            Status::Held | Status::Released(_) | Status::Erased(_) => Err(Refusal::Unknown),
        }
    }

    /// Stops deliveries that wait or are held.
    pub(super) fn cancel(&mut self, is_meant: impl Fn(Message) -> bool) {
        for delivery in &mut self.deliveries {
            if delivery.is_open() && is_meant(delivery.message) {
                delivery.state = DeliveryState::Cancelled;
            }
        }
    }
}
