//! Monthly statements of what firms owe.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::month::Month;
use crate::domain::commission::{Euro, Outcome, Percent, Terms};
use crate::domain::inquiry::{received, reference};
use crate::domain::matching::FirmId;

/// The statement of a month, sorted by the ids of the firms with acceptances.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The month.
    pub month: Month,
    /// When the month was closed, if it was.
    pub closed_at: Option<Timestamp>,
    /// The VAT rate.
    pub vat: Percent,
    /// The statements of the firms.
    pub firms: Vec<FirmStatement>,
}

/// The statement of one firm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirmStatement {
    /// The firm's id.
    pub firm: FirmId,
    /// The firm's name at its last acceptance of the month.
    pub name: String,
    /// The firm's acceptances in order of time, each a line of the bill.
    pub lines: Vec<Acceptance>,
    /// The sum of the lines.
    pub net: Euro,
    /// VAT on the sum.
    pub vat: Euro,
    /// The sum including VAT.
    pub gross: Euro,
}

impl Statement {
    /// Creates the statement of a month from its acceptances. The VAT rate is that of the closing, or `vat` while the month is
    /// open.
    pub fn new(month: Month, closing: Option<&Closing>, vat: Percent, acceptances: Vec<Acceptance>) -> Self {
        let vat = closing.map_or(vat, |closing| closing.vat);
        let mut firms: BTreeMap<FirmId, Vec<Acceptance>> = BTreeMap::new();
        for acceptance in acceptances {
            firms.entry(acceptance.firm.clone()).or_default().push(acceptance);
        }
        Self {
            month,
            closed_at: closing.map(|closing| closing.at),
            vat,
            firms: firms
                .into_iter()
                .map(|(firm, acceptances)| FirmStatement::new(firm, acceptances, vat))
                .collect(),
        }
    }
}

impl FirmStatement {
    fn new(firm: FirmId, mut acceptances: Vec<Acceptance>, vat: Percent) -> Self {
        acceptances.sort_by_key(|acceptance| (acceptance.at, acceptance.inquiry));
        let commissions = acceptances.iter().map(Acceptance::commission);
        let net = commissions.fold(Euro::ZERO, Euro::plus);
        let vat = vat.of(net);
        Self {
            name: acceptances
                .last()
                .map_or_else(|| firm.to_string(), |last| last.name.clone()),
            firm,
            lines: acceptances,
            net,
            vat,
            gross: net.plus(vat),
        }
    }
}

/// How long after the acceptance a firm can report the outcome.
pub const CHANGEABLE: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How long after the acceptance the visitor can review the firm, unless it has reported the outcome before: the work takes days.
const REVIEWABLE_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);

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
    /// The outcome reported by the firm.
    pub outcome: Outcome,
}

/// Why an outcome is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OutcomeRefusal {
    /// The firm has not accepted.
    #[error("the firm has not accepted the inquiry")]
    Unknown,
    /// The month of the acceptance is closed.
    #[error("the month of the acceptance is closed")]
    Closed,
    /// The acceptance is too long ago.
    #[error("the firm accepted the inquiry more than 90 days ago")]
    TooLate,
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

    /// The amount owed, rounded to cents.
    pub fn commission(&self) -> Euro {
        self.terms.commission(self.outcome)
    }

    /// Whether there can be work to review: the firm has reported an order or none, or had a week for it.
    pub fn is_reviewable(&self, now: Timestamp) -> bool {
        self.outcome != Outcome::Open || now.duration_since(self.at) >= REVIEWABLE_AFTER
    }

    /// The day from which the visitor can review the firm, whatever it reports.
    pub fn reviewable_from(&self) -> Timestamp {
        self.at.saturating_add(REVIEWABLE_AFTER).unwrap_or(self.at)
    }

    /// Whether the firm may still report the outcome, provided that the month is not closed.
    pub fn is_changeable(&self, now: Timestamp) -> bool {
        now.duration_since(self.at) < CHANGEABLE
    }
}

/// A closed month, whose figures no longer change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// The month.
    pub month: Month,
    /// When it was closed.
    pub at: Timestamp,
    /// The VAT rate of its statements.
    pub vat: Percent,
}

/// Why a month cannot be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosingRefusal {
    /// The month is not over.
    #[error("{0} is not over yet")]
    NotOver(Month),
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::commission::Terms;

    #[test]
    fn a_firm_can_be_reviewed_after_a_week_or_once_it_has_reported() {
        let at: Timestamp = "2026-11-08T12:00:00Z".parse().unwrap();
        let accepted = |outcome| Acceptance {
            at,
            outcome,
            ..acceptance(1, "nord", 0, None)
        };
        let (open, none) = (accepted(Outcome::Open), accepted(Outcome::None));
        let week = at + SignedDuration::from_hours(7 * 24);
        assert_eq!(open.reviewable_from(), week);
        assert!(!open.is_reviewable(at) && !open.is_reviewable(week - SignedDuration::from_secs(1)));
        assert!(open.is_reviewable(week) && none.is_reviewable(at));
    }

    fn acceptance(number: u128, firm: &str, minute: i64, sum: Option<u64>) -> Acceptance {
        Acceptance {
            inquiry: Uuid::from_u128(0x019a_3c5e_7b1c_7000_8000_0000_0000_0000 + number),
            firm: FirmId::parse(firm).unwrap(),
            name: format!("{firm} {minute}"),
            at: Timestamp::from_second(1_793_500_000 + minute * 60).unwrap(),
            terms: Terms {
                per_acceptance: Euro::from_cents(0),
                per_order: Euro::from_cents(0),
                share: Percent::parse("12.5").unwrap(),
            },
            outcome: sum.map_or(Outcome::Open, |sum| Outcome::Order(Euro::from_cents(sum))),
        }
    }

    #[test]
    fn tax_is_on_the_sum_of_rounded_lines() {
        // Three lines of 0.125 euros are 0.13 each; rounded once, they would be 0.38.
        let acceptances =
            (0..3).map(|number| acceptance(number, "nord", 3 - i64::try_from(number).unwrap(), Some(100)));
        let statement = Statement::new(
            "2026-11".parse().unwrap(),
            None,
            Percent::USUAL_VAT,
            acceptances.collect(),
        );
        let firm = &statement.firms[0];
        assert_eq!([firm.net, firm.vat, firm.gross].map(Euro::cents), [39, 7, 46]);
        // Lines are in order of time, and the last acceptance provides the firm's name.
        assert_eq!(firm.name, "nord 3");
        let order: Vec<_> = firm.lines.iter().map(Acceptance::reference).collect();
        assert_eq!(order, ["000000000002", "000000000001", "000000000000"]);
    }

    #[test]
    fn a_closed_month_keeps_its_tax() {
        let month = "2026-11".parse().unwrap();
        let closing = Closing {
            month,
            at: Timestamp::from_second(1_800_000_000).unwrap(),
            vat: Percent::parse("7").unwrap(),
        };
        let acceptances = vec![
            acceptance(1, "nord", 0, Some(80_000)),
            acceptance(2, "elbe", 0, None),
        ];
        let statement = Statement::new(month, Some(&closing), Percent::USUAL_VAT, acceptances);
        let firms: Vec<_> = statement
            .firms
            .iter()
            .map(|firm| (firm.firm.as_str(), firm.net.cents(), firm.vat.cents()))
            .collect();
        assert_eq!(firms, [("elbe", 0, 0), ("nord", 10_000, 700)]);
        assert_eq!(statement.closed_at, Some(closing.at));
    }
}
