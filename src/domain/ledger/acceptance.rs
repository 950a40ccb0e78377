//! An acceptance, with what was billed for it: a line of its month and, once that month is closed, lines of later months.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantNames};
use uuid::Uuid;

use super::month::Month;
use crate::base::text::Malformed;
use crate::domain::commission::{Euro, Outcome, Terms};
use crate::domain::inquiry::{received, reference};
use crate::domain::matching::FirmId;

/// How long after the acceptance a firm can report the outcome.
pub const CHANGEABLE: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How long after the acceptance the visitor can review the firm, unless it has reported the outcome before: the work takes days.
const REVIEWABLE_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How long after the acceptance a firm is asked for an outcome that is still open.
const ASKED_AFTER: SignedDuration = SignedDuration::from_hours(21 * 24);

/// The longest reason of a credit, in characters: it is a cell of a statement.
const MAX_REASON: usize = 200;

/// An acceptance as billed. It contains no personal data: once the inquiry is erased, its id only reveals when it was received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// The id of the inquiry.
    pub inquiry: Uuid,
    /// The firm.
    pub firm: FirmId,
    /// The firm's name when it accepted.
    pub name: String,
    /// When the firm accepted, to the millisecond.
    pub at: Timestamp,
    /// The price that the firm was shown when accepting.
    pub terms: Terms,
    /// The outcome reported by the firm before the month of the acceptance was closed.
    pub outcome: Outcome,
    /// The lines of later months, once the month of the acceptance is closed, in order.
    #[serde(default)]
    pub later: Vec<BilledLine>,
    /// The credit that takes back what is billed.
    pub credit: Option<Credit>,
    /// When the firm was asked for the outcome by mail.
    pub asked_at: Option<Timestamp>,
}

/// What is billed for an acceptance in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BilledLine {
    /// The time in whose month it is billed.
    pub at: Timestamp,
    /// What caused it.
    pub kind: LineKind,
    /// The outcome as of then.
    pub outcome: Outcome,
    /// The amount owed in addition to earlier lines, rounded to cents; negative if it is paid back.
    pub commission: Euro,
    /// Whether the credit covers it.
    pub is_credited: bool,
}

impl BilledLine {
    fn new(at: Timestamp, kind: LineKind, outcome: Outcome, due: Euro, is_credited: bool) -> Self {
        let is_free = is_credited && kind != LineKind::Credit;
        let commission = if is_free { Euro::ZERO } else { due };
        Self {
            at,
            kind,
            outcome,
            commission,
            is_credited,
        }
    }
}

/// The cause of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// A firm has accepted.
    Accepted,
    /// A firm has reported an outcome after the month of the acceptance was closed.
    Late,
    /// The operator has credited an acceptance after its month was closed.
    Credit,
}

/// A credit of everything that is billed for an acceptance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credit {
    /// The operator's reason, from [`Credit::parse_reason`].
    pub reason: String,
    /// When it was given.
    pub at: Timestamp,
}

impl Credit {
    /// Parses the reason of a credit: one line of 1 to 200 characters.
    ///
    /// # Errors
    /// If it is empty, too long, or contains control characters.
    pub fn parse_reason(text: &str) -> Result<String, Malformed> {
        let text = text.trim();
        let length = text.chars().count();
        ((1..=MAX_REASON).contains(&length) && !text.contains(char::is_control))
            .then(|| text.to_owned())
            .ok_or(Malformed("expected one line of 1 to 200 characters"))
    }
}

/// Why a change to the ledger is refused.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, IntoStaticStr, VariantNames,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", prefix = "ledger_")]
pub enum LedgerRefusal {
    /// The firm has not accepted.
    #[error("the firm has not accepted the inquiry")]
    NotAccepted,
    /// The acceptance is too long ago.
    #[error("the firm accepted the inquiry more than 90 days ago")]
    TooLate,
    /// The acceptance was already credited.
    #[error("the acceptance was credited before")]
    Credited,
    /// The month is not over.
    #[error("{0} is not over yet")]
    NotOver(Month),
}

impl Acceptance {
    /// The reference of the inquiry.
    pub fn reference(&self) -> String {
        reference(self.inquiry)
    }

    /// When the inquiry was received.
    pub fn received(&self) -> Timestamp {
        received(self.inquiry).unwrap_or(self.at)
    }

    /// The outcome that the firm has reported last.
    pub fn reported(&self) -> Outcome {
        self.later.last().map_or(self.outcome, |line| line.outcome)
    }

    /// Everything that is billed for it.
    pub fn commission(&self) -> Euro {
        self.lines()
            .map(|line| line.commission)
            .fold(Euro::ZERO, Euro::plus)
    }

    /// The lines that bill it, in order.
    pub fn lines(&self) -> impl Iterator<Item = BilledLine> {
        // A credit after the month was closed has its own line.
        let is_later = self.later.iter().any(|line| line.kind == LineKind::Credit);
        let is_credited = self.credit.is_some() && !is_later;
        let commission = self.terms.commission(self.outcome);
        let own = BilledLine::new(self.at, LineKind::Accepted, self.outcome, commission, is_credited);
        std::iter::once(own).chain(self.later.iter().cloned())
    }

    /// The lines of a month.
    pub fn lines_in(&self, month: Month) -> impl Iterator<Item = BilledLine> {
        self.lines().filter(move |line| Month::of(line.at) == month)
    }

    /// The credit, if it covers a line.
    pub fn credit_of(&self, line: &BilledLine) -> Option<&Credit> {
        self.credit.as_ref().filter(|_| line.is_credited)
    }

    /// Whether there can be work to review: the firm has reported an order or none, or had a week for it.
    pub fn is_reviewable(&self, now: Timestamp) -> bool {
        self.reported() != Outcome::Open || now.duration_since(self.at) >= REVIEWABLE_AFTER
    }

    /// The day from which the visitor can review the firm, whatever it reports.
    pub fn reviewable_from(&self) -> Timestamp {
        self.at.saturating_add(REVIEWABLE_AFTER).unwrap_or(self.at)
    }

    /// Whether the firm may still report the outcome.
    pub fn is_changeable(&self, now: Timestamp) -> bool {
        now.duration_since(self.at) < CHANGEABLE
    }

    /// Whether the firm is to be asked for the outcome.
    pub fn lacks_outcome(&self, now: Timestamp) -> bool {
        let is_open = self.reported() == Outcome::Open && self.credit.is_none();
        let age = now.duration_since(self.at);
        is_open && self.asked_at.is_none() && (ASKED_AFTER..CHANGEABLE).contains(&age)
    }

    /// Records the outcome that the firm reports. Once the month of the acceptance is among the `closed` ones, the outcome
    /// becomes a line in the month of `at`, in which the last report counts.
    pub fn report(&mut self, outcome: Outcome, at: Timestamp, closed: &BTreeSet<Month>) {
        if !closed.contains(&Month::of(self.at)) {
            self.outcome = outcome;
        } else if self.reported() != outcome {
            let month = Month::of(at);
            self.later
                .retain(|line| line.kind != LineKind::Late || Month::of(line.at) != month);
            let before = self.reported();
            let [old, new] = [before, outcome].map(|outcome| self.terms.commission(outcome));
            let late = BilledLine::new(at, LineKind::Late, outcome, new.minus(old), self.credit.is_some());
            self.later.extend((outcome != before).then_some(late));
        }
    }

    /// Takes back everything that is billed: lines of open months become free, and the month of `at` pays back those of `closed`
    /// ones.
    ///
    /// # Errors
    /// If that was already done.
    pub fn take_back(
        &mut self,
        credit: Credit,
        at: Timestamp,
        closed: &BTreeSet<Month>,
    ) -> Result<(), LedgerRefusal> {
        if self.credit.is_some() {
            return Err(LedgerRefusal::Credited);
        }
        if closed.contains(&Month::of(self.at)) {
            for line in &mut self.later {
                if !closed.contains(&Month::of(line.at)) {
                    (line.commission, line.is_credited) = (Euro::ZERO, true);
                }
            }
            let commission = Euro::ZERO.minus(self.commission());
            let line = BilledLine::new(at, LineKind::Credit, self.reported(), commission, true);
            self.later.push(line);
        }
        self.credit = Some(credit);
        Ok(())
    }
}
