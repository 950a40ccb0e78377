//! Monthly statements of what firms owe.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::acceptance::{Acceptance, BilledLine, LineKind};
use super::month::Month;
use crate::domain::commission::{Euro, Outcome, Percent};
use crate::domain::matching::FirmId;

/// The statement of a month, sorted by the ids of the firms with lines.
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
    /// The firm's name at the acceptance of its last line.
    pub name: String,
    /// The lines in order of time, each with its acceptance.
    pub lines: Vec<(Acceptance, BilledLine)>,
    /// The sum of the lines; negative if more is paid back than owed.
    pub net: Euro,
    /// VAT on the sum.
    pub vat: Euro,
    /// The sum including VAT.
    pub gross: Euro,
}

impl Statement {
    /// Creates the statement of a month from those lines of the acceptances that belong to it. The VAT rate is that of the
    /// closing, or `vat` while the month is open.
    pub fn new(month: Month, closing: Option<&Closing>, vat: Percent, acceptances: Vec<Acceptance>) -> Self {
        let vat = closing.map_or(vat, |closing| closing.vat);
        let mut firms: BTreeMap<FirmId, Vec<(Acceptance, BilledLine)>> = BTreeMap::new();
        for acceptance in acceptances {
            let lines = acceptance.lines_in(month).map(|line| (acceptance.clone(), line));
            firms.entry(acceptance.firm.clone()).or_default().extend(lines);
        }
        Self {
            month,
            closed_at: closing.map(|closing| closing.at),
            vat,
            firms: firms
                .into_iter()
                .map(|(firm, lines)| FirmStatement::new(firm, lines, vat))
                .collect(),
        }
    }

    /// Net sum, VAT and sum including VAT of all firms.
    pub fn totals(&self) -> [Euro; 3] {
        let sum = |part: fn(&FirmStatement) -> Euro| self.firms.iter().map(part).fold(Euro::ZERO, Euro::plus);
        [sum(|firm| firm.net), sum(|firm| firm.vat), sum(|firm| firm.gross)]
    }

    /// How many outcomes firms have not reported, and of which firms: `nord (2), sued (1)`. Credited ones do not count.
    pub fn open_outcomes(&self, name: fn(&FirmStatement) -> &str) -> (usize, String) {
        let is_open = |(_, line): &&(Acceptance, BilledLine)| {
            line.kind == LineKind::Accepted && line.outcome == Outcome::Open && !line.is_credited
        };
        let firms = self.firms.iter();
        let firms = firms.map(|firm| (name(firm), firm.lines.iter().filter(is_open).count()));
        let open: Vec<_> = firms.filter(|(_, count)| *count > 0).collect();
        let named: Vec<_> = open
            .iter()
            .map(|(name, count)| format!("{name} ({count})"))
            .collect();
        (open.iter().map(|(_, count)| count).sum(), named.join(", "))
    }
}

impl FirmStatement {
    fn new(firm: FirmId, mut lines: Vec<(Acceptance, BilledLine)>, vat: Percent) -> Self {
        lines.sort_by_key(|(acceptance, line)| (line.at, acceptance.inquiry));
        let commissions = lines.iter().map(|(_, line)| line.commission);
        let net = commissions.fold(Euro::ZERO, Euro::plus);
        let vat = vat.of(net);
        Self {
            name: lines
                .last()
                .map_or_else(|| firm.to_string(), |(last, _)| last.name.clone()),
            firm,
            lines,
            net,
            vat,
            gross: net.plus(vat),
        }
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

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
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

    fn acceptance(number: u128, firm: &str, minute: i64, sum: Option<i64>) -> Acceptance {
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
            later: Vec::new(),
            credit: None,
            asked_at: None,
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
        let order: Vec<_> = firm.lines.iter().map(|(line, _)| line.reference()).collect();
        assert_eq!(order, ["000000000002", "000000000001", "000000000000"]);
    }

    #[test]
    fn an_acceptance_of_an_older_build_is_read() {
        // Stores contain this: it must stay readable, whatever fields are added.
        let old = r#"{"inquiry":"019a3c5e-7b1c-7000-8000-000000000001","firm":"nord","name":"Nord","at":"2026-11-01T12:00:00Z","terms":{"per_acceptance":"25.00","per_order":"0.00","share":"8"},"outcome":{"order":"1234.50"}}"#;
        let read: Acceptance = serde_json::from_str(old).unwrap();
        assert_eq!((read.commission().cents(), read.later.len()), (12_376, 0));
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
