//! Changes to a referral, and the reasons to refuse them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantNames};
use uuid::Uuid;

use super::asked::{Answer, Pausing};
use super::delivery::{Delivery, Outcome};
use super::message::{Event, Message};
use super::policy::MatchingState;
use super::referral::{MAX_ADDITION, Referral, Revocation, Status};
use super::review::{Review, Verdict};
use crate::domain::commission::Terms;
use crate::domain::inquiry::{Answers, Correction};
use crate::domain::matching::FirmId;

/// The maximum number of mails about additions to one firm per inquiry: a visitor who keeps changing the text must not fill the
/// firm's mailbox. The firm's private page always shows the latest text.
const MAX_ADDITION_MAILS: usize = 3;

/// A change to a referral. Firms and deliveries are identified by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A firm accepts at any price.
    Accept(u8),
    /// A firm accepts at the price that it was shown; `None` if it was shown no price.
    AcceptAt(u8, Option<Terms>),
    /// A firm declines.
    Decline(u8),
    /// The visitor replaces the addition, the text for firms beyond the fields.
    Add(String),
    /// The visitor reviews a firm that has accepted, or withdraws the review.
    Review(FirmId, Option<Review>),
    /// The operator publishes or rejects a review as written at this time; `None` if the version that was read is unknown.
    Judge(FirmId, Verdict, Option<Timestamp>),
    /// The visitor withdraws the consent to be called.
    RevokeCalls,
    /// The visitor withdraws the inquiry.
    Withdraw,
    /// The operator releases the inquiry as no spam, having read the text with this digest ([`Referral::text_digest`]); `None` if
    /// the version that was read is unknown.
    Release(Option<Uuid>),
    /// The operator has a firm asked, even if it does not match.
    Ask(FirmId),
    /// The operator adds a note, from [`note_text`](super::note_text).
    Note(String),
    /// The operator marks the inquiry as done, or takes that back.
    Mark(bool),
    /// The operator, having read the text with this digest, or the visitor corrects answers; `None` if the version that was read is
    /// unknown.
    Correct(Correction, Option<Uuid>),
    /// A firm is paused: an open request to it is passed on.
    Pass(FirmId, Pausing),
    /// The firms have changed: others may take the inquiry.
    Rematch,
    /// Time has passed.
    Tick,
    /// A delivery was attempted.
    Settle(u16, Outcome),
    /// The operator retries a delivery that waits or has failed; `None` for all of them.
    Retry(Option<u16>),
}

/// A referral with everything that a change to it depends on. Each change is one method.
pub struct Transition<'a> {
    /// The referral.
    pub referral: &'a mut Referral,
    /// The answers of the inquiry; `None` once they are erased.
    pub answers: Option<&'a Answers>,
    /// The handling policy and the firms' rotation.
    pub matching: &'a mut MatchingState,
    /// The current time.
    pub now: Timestamp,
    /// Whether the visitor may get a confirmation: the number per address and day is limited.
    pub may_confirm: bool,
    /// The deliveries that are being attempted right now.
    pub under_way: &'a [u16],
    /// Whether another process began the settled attempt, so that the message may have been sent.
    pub is_retaken: bool,
}

/// Why a change is refused.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, IntoStaticStr, VariantNames,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Refusal {
    /// The inquiry does not exist or was erased.
    #[error("there is no such inquiry")]
    Unknown,
    /// The inquiry cannot be read from the store.
    #[error("the inquiry cannot be read, the store is damaged")]
    Damaged,
    /// The visitor has withdrawn the inquiry.
    #[error("the inquiry was withdrawn")]
    Withdrawn,
    /// As many firms as wanted have accepted.
    #[error("enough firms have accepted")]
    TooLate,
    /// The maximum number of firms was asked.
    #[error("as many firms were asked as one inquiry can have")]
    TooManyAsked,
    /// The subject of the decision was changed after it was read.
    #[error("the text was changed after it was read")]
    Changed,
    /// The price of accepting has changed.
    #[error("the price has changed")]
    OtherPrice,
    /// The firm has already answered.
    #[error("the firm has answered before")]
    Answered,
    /// The addition is too long.
    #[error("the text is longer than 2,000 characters")]
    TooLong,
    /// The inquiry is held back.
    #[error("the inquiry is held back; release it first")]
    Held,
    /// The firm is not configured.
    #[error("the configuration of the server has no such firm")]
    UnknownFirm,
    /// The firm's mail server refuses its address.
    #[error(
        "the firm cannot be reached: its mail server refuses its address for good; correct `email` in the configuration, or, if the \
         address is right, run `taubenabwehr firms resume` with the firm's id"
    )]
    Unreachable,
    /// The firm was asked and not passed over.
    #[error("the firm was asked before")]
    AskedBefore,
    /// The inquiry is not held back.
    #[error("the inquiry is not held back")]
    NotHeld,
    /// The firm has not accepted, so it cannot be reviewed.
    #[error("the firm has not accepted the inquiry")]
    NotAccepted,
    /// The visitor has not reviewed the firm, or has withdrawn the review.
    #[error("there is no review of this firm")]
    NoReview,
    /// The visitor does not want the review published.
    #[error("the visitor has not agreed that the review is published")]
    NoConsent,
    /// No delivery can be retried.
    #[error("there is no such delivery that waits or has failed")]
    NotFailed,
}

impl<'a> Transition<'a> {
    /// Applies a change; returns whether anything changed.
    ///
    /// # Errors
    /// If the change is refused; then nothing has changed.
    pub fn apply(&mut self, change: &Change) -> Result<bool, Refusal> {
        match change {
            Change::Accept(firm) => self.accept(*firm, |_| true),
            Change::AcceptAt(firm, price) => self.accept(*firm, |current| current == *price),
            Change::Decline(firm) => self.decline(*firm),
            Change::Add(text) => self.add(text),
            Change::Review(firm, review) => self.review(firm, review.as_ref()),
            Change::Judge(firm, verdict, read) => self.judge(firm, *verdict, *read),
            Change::RevokeCalls => self.revoke_calls(),
            Change::Withdraw => self.withdraw(),
            Change::Release(read) => self.release(*read),
            Change::Ask(firm) => self.ask(firm),
            Change::Note(text) => self.note(text),
            Change::Mark(is_done) => self.mark(*is_done),
            Change::Correct(correction, read) => self.correct(correction, *read),
            Change::Pass(firm, pausing) => Ok(self.pass(firm, *pausing)),
            Change::Rematch => Ok(self.rematch()),
            Change::Tick => Ok(self.tick()),
            Change::Settle(number, outcome) => Ok(self.settle(*number, outcome)),
            Change::Retry(number) => self.retry(*number),
        }
    }

    /// Records that a firm accepts, provided that it agrees to the current price.
    fn accept(&mut self, firm: u8, agrees: impl FnOnce(Option<Terms>) -> bool) -> Result<bool, Refusal> {
        self.active()?;
        let has_free_place = self.has_free_place();
        let asked = self.referral.firm_mut(firm).ok_or(Refusal::Unknown)?;
        let configured = self.matching.rotation.get(&asked.firm);
        // The operator no longer works with this firm.
        let is_gone = configured.is_none();
        // Only a price that was shown is owed.
        let is_other_price = !agrees(configured.and_then(|firm| firm.commission));
        match asked.answer {
            // The button was pressed twice.
            Answer::Accepted(_) => return Ok(false),
            Answer::Declined(_) => return Err(Refusal::Answered),
            _ if !has_free_place => return Err(Refusal::TooLate),
            _ if is_gone => return Err(Refusal::UnknownFirm),
            _ if is_other_price => return Err(Refusal::OtherPrice),
            Answer::Pending | Answer::Silent | Answer::Unreachable => {
                asked.answer = Answer::Accepted(self.now);
            }
        }
        asked.name = configured.map(|firm| firm.name.clone());
        let is_full = !self.has_free_place();
        // Once all places are taken, there is no point in asking other firms or sending them more.
        self.referral
            .cancel(|message| matches!(message, Message::FirmRequest(other) if is_full || other == firm));
        if self.matching.policy.visitor_mail {
            self.send(Message::VisitorAccepted(firm));
        }
        // Firms can only be configured where mail is sent.
        self.send(Message::FirmContact(firm));
        if self.matching.policy.operator_accepted {
            self.tell_operator(|mailbox| Message::OperatorAccepted(firm, mailbox));
        }
        self.notify(Message::FirmWebhook(Event::Accepted, firm));
        // Other places may still be free.
        self.fill_places();
        Ok(true)
    }

    fn decline(&mut self, firm: u8) -> Result<bool, Refusal> {
        self.active()?;
        let asked = self.referral.firm_mut(firm).ok_or(Refusal::Unknown)?;
        match asked.answer {
            Answer::Declined(_) => return Ok(false),
            Answer::Accepted(_) => return Err(Refusal::Answered),
            Answer::Pending | Answer::Silent | Answer::Unreachable => {
                asked.answer = Answer::Declined(self.now);
            }
        }
        self.referral
            .cancel(|message| message == Message::FirmRequest(firm));
        self.notify(Message::FirmWebhook(Event::Declined, firm));
        self.fill_places();
        Ok(true)
    }

    fn add(&mut self, text: &str) -> Result<bool, Refusal> {
        self.must_be_there()?;
        if text.chars().count() > MAX_ADDITION {
            return Err(Refusal::TooLong);
        }
        if text == self.referral.addition {
            return Ok(false);
        }
        text.clone_into(&mut self.referral.addition);
        for firm in self.firms_told_more() {
            let (mail, earlier) = (Message::FirmAddition(firm), Message::FirmRequest(firm));
            self.send_latest(mail, earlier, MAX_ADDITION_MAILS);
        }
        Ok(true)
    }

    /// Records that nobody may call any more. No mail is sent about it; every page says so from now on.
    fn revoke_calls(&mut self) -> Result<bool, Refusal> {
        self.must_be_there()?;
        let is_first = self.referral.consent.is_some() && self.referral.calls_revoked.is_none();
        if is_first {
            self.referral.calls_revoked = Some(Revocation { at: self.now });
        }
        Ok(is_first)
    }

    /// Sends a mail with the latest text, unless the firm has had `limit` of them, or one of them or an `earlier` mail that shows the
    /// same text is still waiting. A mail that is being sent was written before the change.
    pub(super) fn send_latest(&mut self, mail: Message, earlier: Message, limit: usize) {
        let deliveries = &self.referral.deliveries;
        let waits = (0..=u16::MAX).zip(deliveries).any(|(number, delivery)| {
            [mail, earlier].contains(&delivery.message)
                && delivery.attempts == 0
                && delivery.is_open()
                && !self.under_way.contains(&number)
        });
        let mails = deliveries.iter().filter(|delivery| delivery.message == mail);
        if !waits && mails.count() < limit {
            self.send(mail);
        }
    }

    /// The firms that get mail about additions: those that have accepted, and those with an open request that can still accept. A
    /// firm that was passed over can read additions on its page.
    fn firms_told_more(&self) -> Vec<u8> {
        let has_free_place = self.has_free_place();
        let told = self.referral.numbered().filter(|(_, asked)| match asked.answer {
            Answer::Accepted(_) => true,
            Answer::Pending => has_free_place && self.matching.rotation.get(&asked.firm).is_some(),
            Answer::Declined(_) | Answer::Silent | Answer::Unreachable => false,
        });
        told.map(|(firm, _)| firm).collect()
    }

    /// Cancels pending mails about additions to firms that no longer get them, and reminders to firms whose answer is no longer
    /// awaited.
    pub(super) fn cancel_waiting(&mut self) {
        let told = self.firms_told_more();
        let has_free_place = self.has_free_place();
        let firms = self.referral.numbered();
        let pending = firms.filter(|(_, asked)| has_free_place && asked.answer == Answer::Pending);
        let pending: Vec<u8> = pending.map(|(number, _)| number).collect();
        self.referral.cancel(|message| match message {
            Message::FirmAddition(firm) => !told.contains(&firm),
            Message::FirmReminder(firm) => !pending.contains(&firm),
            _ => false,
        });
    }

    fn release(&mut self, read: Option<Uuid>) -> Result<bool, Refusal> {
        if !matches!(self.referral.status, Status::Quarantined(_)) {
            return Err(Refusal::NotHeld);
        }
        self.must_be_current(read)?;
        self.referral.status = Status::Released(self.now);
        Ok(true)
    }

    fn retry(&mut self, number: Option<u16>) -> Result<bool, Refusal> {
        let mut is_changed = false;
        for (at, delivery) in (0..=u16::MAX).zip(&mut self.referral.deliveries) {
            if number.is_none_or(|number| number == at) {
                is_changed |= delivery.retry(self.now);
            }
        }
        if is_changed {
            Ok(true)
        } else {
            Err(Refusal::NotFailed)
        }
    }

    /// Fails if the text no longer has the digest of the version that was read.
    pub(super) fn must_be_current(&self, read: Option<Uuid>) -> Result<(), Refusal> {
        let current = self.answers.map(|answers| self.referral.text_digest(answers));
        if read.is_some() && read != current {
            return Err(Refusal::Changed);
        }
        Ok(())
    }

    /// Fails unless the visitor's data still exists.
    pub(super) fn must_be_there(&self) -> Result<(), Refusal> {
        match self.referral.status {
            Status::Active | Status::Quarantined(_) | Status::Released(_) => Ok(()),
            Status::Withdrawn(_) => Err(Refusal::Withdrawn),
            Status::Erased(_) | Status::Notice(_) => Err(Refusal::Unknown),
        }
    }

    /// The answers, if firms can currently take the inquiry.
    pub(super) fn active(&self) -> Result<&'a Answers, Refusal> {
        self.must_be_there()?;
        let answers = self.answers.filter(|_| self.referral.status == Status::Active);
        answers.ok_or(Refusal::Unknown)
    }

    /// Whether another firm may accept.
    pub(super) fn has_free_place(&self) -> bool {
        self.referral.has_free_place(&self.matching.policy)
    }

    /// Adds a delivery that is due at once.
    pub(super) fn send(&mut self, message: Message) {
        self.referral.deliveries.push(Delivery::new(message, self.now));
    }

    /// Sends a mail to each of the operator's mailboxes.
    pub(super) fn tell_operator(&mut self, message: impl Fn(u8) -> Message) {
        let mailboxes = self.matching.policy.operator_mailboxes;
        self.referral.tell_operator(message, mailboxes, self.now);
    }

    /// Notifies the operator's webhook, if one is configured.
    pub(super) fn notify(&mut self, message: Message) {
        if self.matching.policy.webhook {
            self.send(message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::inquiry::NewInquiry;
    use crate::domain::matching::{Firm, PostalPrefix};
    use crate::domain::referral::{Asked, HandlingPolicy, ReviewState};

    fn now() -> Timestamp {
        "2026-11-08T12:00:00Z".parse().unwrap()
    }

    fn id(id: &str) -> FirmId {
        FirmId::parse(id).unwrap()
    }

    fn firm(name: &str) -> Firm {
        Firm {
            id: id(name),
            name: name.to_owned(),
            email: format!("{name}@firma.example"),
            phone: None,
            website: None,
            postal_codes: vec![PostalPrefix::parse("2").unwrap()],
            property_types: None,
            problems: None,
            per_week: None,
            paused: false,
            commission: None,
            checked: None,
        }
    }

    fn matching() -> MatchingState {
        let mut matching = MatchingState::default();
        let policy = HandlingPolicy {
            firms: ["a", "b"].map(firm).into(),
            offers: 1,
            ..HandlingPolicy::default()
        };
        matching.set_policy(policy.into());
        matching
    }

    /// The result of a change to a referral whose only firm has this answer.
    #[allow(clippy::panic_in_result_fn, reason = "the result is what the test asks for")]
    fn applied(status: Status, answer: Answer, change: &Change) -> Result<bool, Refusal> {
        let body = r#"{"postal_code":"20095","property_type":"residential","first_name":"Anna",
            "last_name":"Meier","email_address":"anna@example.de","phone_number":"040 1234567"}"#;
        let inquiry = NewInquiry::parse(body.as_bytes(), now()).unwrap();
        let mut matching = matching();
        let asked = Asked::new(id("a"), now(), matching.policy.answer_within);
        let before = Referral {
            status,
            asked: vec![Asked { answer, ..asked }],
            ..Referral::default()
        };
        let mut referral = before.clone();
        let mut transition = Transition {
            referral: &mut referral,
            answers: Some(&inquiry.answers),
            matching: &mut matching,
            now: now(),
            may_confirm: true,
            under_way: &[],
            is_retaken: false,
        };
        let applied = transition.apply(change);
        assert_eq!(
            referral != before,
            applied == Ok(true),
            "{status:?} {answer:?} {change:?}"
        );
        applied
    }

    #[test]
    fn each_change_happens_is_known_already_or_is_refused() {
        use Answer::{Pending, Silent};
        use Status::Active;
        let held = Status::Quarantined(None);
        let (accepted, declined) = (Answer::Accepted(now()), Answer::Declined(now()));
        let (released, withdrawn, erased) = (
            Status::Released(now()),
            Status::Withdrawn(now()),
            Status::Erased(now()),
        );
        let review = Review::parse("5", "", "Anna M.", true).unwrap();
        assert_eq!(review.state, ReviewState::Waiting);
        let says = Change::Review(id("a"), Some(review));
        let judge = Change::Judge(id("a"), Verdict::Publish, None);
        let add = || Change::Add("Hof".to_owned());
        for (status, answer, change, expected) in [
            (Active, Pending, Change::Accept(0), Ok(true)),
            (Active, Pending, Change::AcceptAt(0, None), Ok(true)),
            (
                Active,
                Pending,
                Change::AcceptAt(0, Some(Terms::default())),
                Err(Refusal::OtherPrice),
            ),
            (Active, Pending, Change::Accept(1), Err(Refusal::Unknown)),
            (Active, Silent, Change::Accept(0), Ok(true)),
            (Active, accepted, Change::Accept(0), Ok(false)),
            (Active, declined, Change::Accept(0), Err(Refusal::Answered)),
            (held, Pending, Change::Accept(0), Err(Refusal::Unknown)),
            (withdrawn, Pending, Change::Accept(0), Err(Refusal::Withdrawn)),
            (erased, Pending, Change::Accept(0), Err(Refusal::Unknown)),
            (Active, Pending, Change::Decline(0), Ok(true)),
            (Active, declined, Change::Decline(0), Ok(false)),
            (Active, accepted, Change::Decline(0), Err(Refusal::Answered)),
            (withdrawn, Pending, Change::Decline(0), Err(Refusal::Withdrawn)),
            (Active, Pending, add(), Ok(true)),
            (Active, Pending, Change::Add(String::new()), Ok(false)),
            (
                Active,
                Pending,
                Change::Add("x".repeat(MAX_ADDITION + 1)),
                Err(Refusal::TooLong),
            ),
            (held, Pending, add(), Ok(true)),
            (withdrawn, Pending, add(), Err(Refusal::Withdrawn)),
            (erased, Pending, add(), Err(Refusal::Unknown)),
            (Active, accepted, says.clone(), Ok(true)),
            (Active, accepted, Change::Review(id("a"), None), Ok(false)),
            (Active, Pending, says.clone(), Err(Refusal::NotAccepted)),
            (withdrawn, accepted, says, Err(Refusal::Withdrawn)),
            (Active, accepted, judge, Err(Refusal::NoReview)),
            (Active, Pending, Change::Withdraw, Ok(true)),
            (held, Pending, Change::Withdraw, Ok(true)),
            (withdrawn, Pending, Change::Withdraw, Ok(false)),
            (erased, Pending, Change::Withdraw, Err(Refusal::Unknown)),
            (held, Pending, Change::Release(None), Ok(true)),
            (
                held,
                Pending,
                Change::Release(Some(Uuid::nil())),
                Err(Refusal::Changed),
            ),
            (Active, Pending, Change::Release(None), Err(Refusal::NotHeld)),
            (Active, Pending, Change::Ask(id("b")), Ok(true)),
            (Active, Silent, Change::Ask(id("a")), Ok(true)),
            (Active, Pending, Change::Ask(id("a")), Err(Refusal::AskedBefore)),
            (Active, Pending, Change::Ask(id("c")), Err(Refusal::UnknownFirm)),
            (Active, accepted, Change::Ask(id("b")), Err(Refusal::TooLate)),
            (held, Pending, Change::Ask(id("b")), Err(Refusal::Held)),
            (released, Pending, Change::Ask(id("b")), Err(Refusal::Held)),
            (withdrawn, Pending, Change::Ask(id("b")), Err(Refusal::Withdrawn)),
            (Active, Pending, Change::Pass(id("a"), Pausing::Begins), Ok(true)),
            (
                Active,
                declined,
                Change::Pass(id("a"), Pausing::Begins),
                Ok(false),
            ),
            (Active, Pending, Change::Rematch, Ok(false)),
            (Active, Silent, Change::Rematch, Ok(true)),
            (Active, Pending, Change::Tick, Ok(false)),
            (released, Pending, Change::Tick, Ok(true)),
            (withdrawn, Pending, Change::Tick, Ok(false)),
            (Active, Pending, Change::Settle(0, Ok(())), Ok(false)),
            (Active, Pending, Change::Retry(None), Err(Refusal::NotFailed)),
        ] {
            assert_eq!(
                applied(status, answer, &change),
                expected,
                "{status:?} {answer:?} {change:?}"
            );
        }
    }
}
