//! What may happen to a referral, and when it may not.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::asked::{Answer, Pausing};
use super::delivery::{DeliveryState, Outcome, SettleContext};
use super::message::{Event, Message};
use super::policy::MatchingState;
use super::referral::{MAX_ADDITION, Referral, Status};
use super::review::{NewReview, Verdict};
use crate::domain::commission::Terms;
use crate::domain::inquiry::Answers;
use crate::domain::matching::FirmId;

/// How many mails about additions a firm gets for one inquiry, at most: a visitor who changes the text again and again
/// must not fill its mailbox. Its private page always shows the latest.
const MAX_ADDITION_MAILS: usize = 3;

/// Something that happens to a referral. Firms and deliveries are named by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A firm accepts, whatever that costs.
    Accept(u8),
    /// A firm accepts at the price that it has read; `None` where it has read of none.
    AcceptAt(u8, Option<Terms>),
    /// A firm declines.
    Decline(u8),
    /// The visitor replaces what firms should know beyond the fields.
    Add(String),
    /// The visitor says something of a firm that has accepted, or takes it back.
    Review(FirmId, Option<NewReview>),
    /// The operator publishes that, or does not, having read what was written at this time; `None` where nothing says what was read.
    Judge(FirmId, Verdict, Option<Timestamp>),
    /// The visitor withdraws the inquiry.
    Withdraw,
    /// The operator says that it is no spam, having read the text with this digest ([`Referral::text_digest`]); `None` where nothing
    /// says what was read.
    Release(Option<Uuid>),
    /// The operator has a firm asked, whether or not it matches.
    Ask(FirmId),
    /// A firm is paused: a question to it that is open is passed on.
    Pass(FirmId, Pausing),
    /// Firms have changed: others may take the inquiry.
    Rematch,
    /// Time has passed.
    Tick,
    /// A delivery was tried.
    Settle(u16, Outcome),
    /// The operator wants a delivery that waits or has failed to be tried now; `None` for all.
    Retry(Option<u16>),
}

/// When a change happens.
#[derive(Debug, Clone, Copy)]
pub struct ChangeContext<'a> {
    /// The time.
    pub now: Timestamp,
    /// Whether the visitor may get a confirmation: an address gets only a few a day.
    pub may_confirm: bool,
    /// The deliveries that are being tried right now.
    pub under_way: &'a [u16],
    /// Whether what is settled had been begun by another process ([`SettleContext::is_retaken`]).
    pub is_retaken: bool,
}

impl From<&ChangeContext<'_>> for SettleContext {
    fn from(context: &ChangeContext<'_>) -> Self {
        Self {
            now: context.now,
            is_retaken: context.is_retaken,
        }
    }
}

/// Why something cannot happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// As many firms were asked as an inquiry has room for.
    #[error("as many firms were asked as one inquiry can have")]
    TooManyAsked,
    /// What the decision is about was changed after it was read.
    #[error("the text was changed after it was read")]
    Changed,
    /// Accepting costs something else by now.
    #[error("the price has changed")]
    OtherPrice,
    /// The firm has answered before.
    #[error("the firm has answered before")]
    Answered,
    /// The addition is too long.
    #[error("the text is longer than 2,000 characters")]
    TooLong,
    /// It is held back.
    #[error("the inquiry is held back; release it first")]
    Held,
    /// There is no such firm.
    #[error("the configuration of the server has no such firm")]
    UnknownFirm,
    /// The mail server of the firm refuses its address.
    #[error(
        "the firm cannot be reached: its mail server refuses its address for good; correct `email` in the configuration, or, if the \
         address is right, run `taubenabwehr firms resume` with the firm's id"
    )]
    Unreachable,
    /// The firm was asked, and not passed over.
    #[error("the firm was asked before")]
    AskedBefore,
    /// It is not held back.
    #[error("the inquiry is not held back")]
    NotHeld,
    /// The firm has not accepted, so it cannot be reviewed.
    #[error("the firm has not accepted the inquiry")]
    NotAccepted,
    /// The visitor has said nothing of the firm, or taken it back.
    #[error("there is no review of this firm")]
    NoReview,
    /// The visitor does not want it published.
    #[error("the visitor has not agreed that the review is published")]
    NoConsent,
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
        matching: &mut MatchingState,
        context: &ChangeContext<'_>,
    ) -> Result<bool, Refusal> {
        let now = context.now;
        match change {
            Change::Accept(firm) => self.accept(*firm, |_| true, answers, matching, now),
            Change::AcceptAt(firm, price) => {
                self.accept(*firm, |current| current == *price, answers, matching, now)
            }
            Change::Decline(firm) => self.decline(*firm, answers, matching, now),
            Change::Add(text) => self.add(text, matching, context),
            Change::Review(firm, review) => self.review(firm, review.as_ref(), now),
            Change::Judge(firm, verdict, read) => self.judge(firm, *verdict, *read, now),
            Change::Withdraw => self.withdraw(matching, context),
            Change::Release(read) => self.release(*read, answers, now),
            Change::Ask(firm) => self.ask(firm, answers, matching, now),
            Change::Pass(firm, pausing) => Ok(self.pass(firm, *pausing, answers, matching, now)),
            Change::Rematch => Ok(self.rematch(answers, matching, now)),
            Change::Tick => Ok(self.tick(answers, matching, context)),
            Change::Settle(number, outcome) => Ok(self.settle(*number, outcome, answers, matching, context)),
            Change::Retry(number) => self.retry(*number, now),
        }
    }

    /// Notes that a firm accepts, if it agrees to the price that this has now.
    fn accept(
        &mut self,
        firm: u8,
        agrees: impl FnOnce(Option<Terms>) -> bool,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        now: Timestamp,
    ) -> Result<bool, Refusal> {
        self.must_be_active()?;
        let answers = answers.ok_or(Refusal::Unknown)?;
        let has_free_place = self.has_free_place(&matching.policy);
        let asked = self.asked.get_mut(usize::from(firm)).ok_or(Refusal::Unknown)?;
        let configured = matching.rotation.get(&asked.firm);
        // The operator no longer works with it.
        let is_gone = configured.is_none();
        // Only prices that were announced are owed.
        let is_other_price = !agrees(configured.and_then(|firm| firm.commission));
        match asked.answer {
            // A second press of the button.
            Answer::Accepted(_) => return Ok(false),
            Answer::Declined(_) => return Err(Refusal::Answered),
            _ if !has_free_place => return Err(Refusal::TooLate),
            _ if is_gone => return Err(Refusal::UnknownFirm),
            _ if is_other_price => return Err(Refusal::OtherPrice),
            Answer::Pending | Answer::Silent | Answer::Unreachable => asked.answer = Answer::Accepted(now),
        }
        asked.name = configured.map(|firm| firm.name.clone());
        let is_full = !self.has_free_place(&matching.policy);
        // Once all places are taken, asking other firms or telling them more is pointless.
        self.cancel(|message| matches!(message, Message::FirmRequest(other) if is_full || other == firm));
        self.cancel_waiting(matching);
        if matching.policy.visitor_mail {
            self.send(Message::VisitorAccepted(firm), now);
        }
        // Firms are configured only where mail leaves.
        self.send(Message::FirmContact(firm), now);
        if matching.policy.operator_accepted {
            self.tell_operator(|mailbox| Message::OperatorAccepted(firm, mailbox), matching, now);
        }
        self.notify_of(Event::Accepted, firm, matching, now);
        // Fewer firms than wanted may be left by now.
        self.fill_places(answers, matching, now);
        Ok(true)
    }

    fn decline(
        &mut self,
        firm: u8,
        answers: Option<&Answers>,
        matching: &mut MatchingState,
        now: Timestamp,
    ) -> Result<bool, Refusal> {
        self.must_be_active()?;
        let answers = answers.ok_or(Refusal::Unknown)?;
        let asked = self.asked.get_mut(usize::from(firm)).ok_or(Refusal::Unknown)?;
        match asked.answer {
            Answer::Declined(_) => return Ok(false),
            Answer::Accepted(_) => return Err(Refusal::Answered),
            Answer::Pending | Answer::Silent | Answer::Unreachable => asked.answer = Answer::Declined(now),
        }
        self.cancel(|message| message == Message::FirmRequest(firm));
        self.cancel_waiting(matching);
        self.notify_of(Event::Declined, firm, matching, now);
        self.fill_places(answers, matching, now);
        Ok(true)
    }

    fn add(
        &mut self,
        text: &str,
        matching: &MatchingState,
        context: &ChangeContext<'_>,
    ) -> Result<bool, Refusal> {
        match self.status {
            Status::Active | Status::Quarantined | Status::Released(_) => {}
            Status::Withdrawn(_) => return Err(Refusal::Withdrawn),
            Status::Erased(_) | Status::Notice(_) => return Err(Refusal::Unknown),
        }
        if text.chars().count() > MAX_ADDITION {
            return Err(Refusal::TooLong);
        }
        if text == self.addition {
            return Ok(false);
        }
        text.clone_into(&mut self.addition);
        for firm in self.firms_to_update(matching, context.under_way) {
            self.send(Message::FirmAddition(firm), context.now);
        }
        Ok(true)
    }

    /// Returns the firms whose mail about the inquiry lacks the latest addition, and that are to have it. A mail under way was
    /// written before.
    fn firms_to_update(&self, matching: &MatchingState, under_way: &[u16]) -> Vec<u8> {
        let waits = |message| {
            (0..=u16::MAX).zip(&self.deliveries).any(|(number, delivery)| {
                delivery.message == message
                    && delivery.attempts == 0
                    && delivery.is_open()
                    && !under_way.contains(&number)
            })
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
        let told = self.firms_told_more(matching).into_iter();
        told.filter(|&firm| needs(firm)).collect()
    }

    /// Returns the firms that get mail about additions: those that have accepted, and those that are asked while they still can.
    /// One that was passed over may read them on its page, and decides there.
    fn firms_told_more(&self, matching: &MatchingState) -> Vec<u8> {
        let has_free_place = self.has_free_place(&matching.policy);
        let told = self.numbered().filter(|(_, asked)| match asked.answer {
            Answer::Accepted(_) => true,
            Answer::Pending => has_free_place && matching.rotation.get(&asked.firm).is_some(),
            Answer::Declined(_) | Answer::Silent | Answer::Unreachable => false,
        });
        told.map(|(firm, _)| firm).collect()
    }

    /// Stops waiting mails about additions to firms that no longer get them, and reminders of those that are not waited for.
    pub(super) fn cancel_waiting(&mut self, matching: &MatchingState) {
        let told = self.firms_told_more(matching);
        let has_free_place = self.has_free_place(&matching.policy);
        let pending = self
            .numbered()
            .filter(|(_, asked)| asked.answer == Answer::Pending);
        let pending: Vec<u8> = pending
            .filter(|_| has_free_place)
            .map(|(number, _)| number)
            .collect();
        self.cancel(|message| match message {
            Message::FirmAddition(firm) => !told.contains(&firm),
            Message::FirmReminder(firm) => !pending.contains(&firm),
            _ => false,
        });
    }

    fn release(
        &mut self,
        read: Option<Uuid>,
        answers: Option<&Answers>,
        now: Timestamp,
    ) -> Result<bool, Refusal> {
        if self.status != Status::Quarantined {
            return Err(Refusal::NotHeld);
        }
        let current = answers.map(|answers| self.text_digest(answers));
        if read.is_some() && read != current {
            return Err(Refusal::Changed);
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

    pub(super) fn must_be_active(&self) -> Result<(), Refusal> {
        match self.status {
            Status::Active => Ok(()),
            Status::Withdrawn(_) => Err(Refusal::Withdrawn),
            Status::Quarantined | Status::Released(_) | Status::Erased(_) | Status::Notice(_) => {
                Err(Refusal::Unknown)
            }
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
