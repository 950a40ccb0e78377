//! Statements of cases (`tests/cases/money.json`), compared with a naive calculation after every step.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Acceptance, Closing, Credit, LedgerRefusal, LineKind, Month, Statement};
use crate::domain::commission::{Euro, Outcome, Percent};

/// A row of a statement: outcome, net sum, commission, late and credit.
type Row = [String; 5];

/// A naive line: month, inquiry, row, and the commission in cents.
type Line = (String, Value, Row, i64);

/// An amount in cents, or a percentage in hundredths.
fn hundredths(text: &str) -> i64 {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{places:0<2}").parse().unwrap()
}

/// Half away from zero.
fn part(amount: i64, percent: i64) -> i64 {
    (amount * percent + 5_000 * amount.signum()) / 10_000
}

fn euros(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

fn text(step: &Value, place: usize) -> &str {
    step.get(place).and_then(Value::as_str).unwrap_or_default()
}

fn row(outcome: &str, sum: &str, late: &str, credit: &str) -> Row {
    [outcome, sum, "", late, credit].map(str::to_owned)
}

/// The lines after some steps of a case: what is due now, less what the lines of the inquiry already bill.
fn naive(terms: &Value, steps: &[Value]) -> Vec<Line> {
    let price = |name: &str| hundredths(terms[name].as_str().unwrap_or("0"));
    let due = |sum: &str| match sum {
        "" => price("per_acceptance"),
        _ => price("per_acceptance") + price("per_order") + part(hundredths(sum), price("share")),
    };
    let (mut lines, mut closed) = (Vec::<Line>::new(), Vec::new());
    for step in steps {
        let month = Month::of(text(step, 0).parse().unwrap()).to_string();
        let (number, outcome, sum) = (&step[2], text(step, 3), text(step, 4));
        let own = lines.iter().position(|line| line.1 == *number);
        let is_closed = own.is_some_and(|own| closed.contains(&lines[own].0));
        match (text(step, 1), own) {
            ("report", Some(_)) if is_closed => {
                lines.retain(|line| (&line.1, &line.0, &*line.2[3]) != (number, &month, "yes"));
                let (_, _, last, _) = lines.iter().rfind(|line| line.1 == *number).unwrap();
                let before = lines.iter().filter(|line| line.1 == *number);
                let billed: i64 = before.clone().map(|line| line.3).sum();
                let credit = before.map(|line| line.2[4].clone()).max().unwrap();
                if [outcome, sum] != [&*last[0], &*last[1]] {
                    let more = if credit.is_empty() { due(sum) - billed } else { 0 };
                    lines.push((month, number.clone(), row(outcome, sum, "yes", &credit), more));
                }
            }
            ("report", Some(own)) => {
                lines[own].2 = row(outcome, sum, "", &lines[own].2[4]);
                lines[own].3 = if lines[own].2[4].is_empty() { due(sum) } else { 0 };
            }
            ("credit", _) => {
                let (mut billed, mut last) = (0, row("", "", "", ""));
                for line in lines.iter_mut().filter(|line| line.1 == *number) {
                    if !closed.contains(&line.0) {
                        line.3 = 0;
                        outcome.clone_into(&mut line.2[4]);
                    }
                    billed += line.3;
                    last = row(&line.2[0], &line.2[1], "", outcome);
                }
                lines.extend(is_closed.then_some((month, number.clone(), last, -billed)));
            }
            ("accept", _) => lines.push((month, number.clone(), row("open", "", "", ""), due(""))),
            _ => closed.push(text(step, 2).to_owned()),
        }
    }
    lines
}

/// The rows of a month, and its net sum, tax and sum with tax.
fn naive_statement(lines: &[Line], month: &str, vat: i64) -> (Vec<Row>, [String; 3]) {
    let lines = lines.iter().filter(|line| line.0 == month);
    let net: i64 = lines.clone().map(|line| line.3).sum();
    let rows = lines.map(|(_, _, [outcome, sum, _, late, credit], cents)| {
        [outcome, sum, &euros(*cents), late, credit].map(String::clone)
    });
    (
        rows.collect(),
        [net, part(net, vat), net + part(net, vat)].map(euros),
    )
}

/// What a statement bills.
fn billed(statement: &Statement) -> (Vec<Row>, [String; 3]) {
    let lines = statement.firms.iter().flat_map(|firm| &firm.lines);
    let rows = lines.map(|(acceptance, line)| {
        let sum = line.outcome.net_sum().map(|sum| sum.to_string());
        let late = if line.kind == LineKind::Late { "yes" } else { "" };
        let credit = acceptance.credit_of(line).map(|credit| credit.reason.clone());
        let mut row = row(
            line.outcome.id(),
            &sum.unwrap_or_default(),
            late,
            &credit.unwrap_or_default(),
        );
        row[2] = line.commission.to_string();
        row
    });
    (
        rows.collect(),
        statement.totals().map(|amount| amount.to_string()),
    )
}

#[test]
fn money_is_billed_as_the_cases_say() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../../../tests/cases/money.json")).unwrap();
    for case in &cases {
        let (vat, months) = (
            case["vat"].as_str().unwrap(),
            case["statements"].as_object().unwrap(),
        );
        let tax = Percent::parse(vat).unwrap();
        let (mut ledger, mut closed) = (BTreeMap::<u64, Acceptance>::new(), BTreeSet::new());
        let statement = |ledger: &BTreeMap<u64, Acceptance>, closed: &BTreeSet<Month>, month: Month| {
            // The rate of another month must not matter.
            let closing = Closing {
                month,
                at: month.next().begins(),
                vat: tax,
            };
            let open = if closed.contains(&month) {
                Percent::parse("7").unwrap()
            } else {
                tax
            };
            let closing = closed.contains(&month).then_some(&closing);
            Statement::new(month, closing, open, ledger.values().cloned().collect())
        };
        let steps = case["steps"].as_array().unwrap();
        for (place, step) in steps.iter().enumerate() {
            let at: Timestamp = text(step, 0).parse().unwrap();
            let number = step[2].as_u64().unwrap_or_default();
            let known = ledger.get_mut(&number);
            match (text(step, 1), text(step, 3)) {
                ("accept", _) => {
                    let accepted = json!({
                        "inquiry": Uuid::from_u128(u128::from(number)), "firm": "nord", "name": "Nord",
                        "at": at, "terms": case["terms"], "outcome": "open",
                    });
                    ledger.insert(number, serde_json::from_value(accepted).unwrap());
                }
                ("report", outcome) => {
                    let outcome = match outcome {
                        "order" => Outcome::Order(Euro::parse(text(step, 4)).unwrap()),
                        "none" => Outcome::None,
                        _ => Outcome::Open,
                    };
                    known.unwrap().report(outcome, at, &closed);
                }
                ("credit", reason) => {
                    let known = known.unwrap();
                    let credit = Credit {
                        reason: Credit::parse_reason(reason).unwrap(),
                        at,
                    };
                    assert_eq!(known.take_back(credit.clone(), at, &closed), Ok(()));
                    assert_eq!(known.take_back(credit, at, &closed), Err(LedgerRefusal::Credited));
                }
                _ => {
                    closed.insert(text(step, 2).parse().unwrap());
                }
            }
            let lines = naive(&case["terms"], &steps[..=place]);
            for month in months.keys() {
                let found = billed(&statement(&ledger, &closed, month.parse().unwrap()));
                assert_eq!(
                    found,
                    naive_statement(&lines, month, hundredths(vat)),
                    "{step}: {month}"
                );
            }
        }
        for (month, expected) in months {
            let (rows, totals) = billed(&statement(&ledger, &closed, month.parse().unwrap()));
            let found: Value = rows
                .into_iter()
                .map(|row| json!(row))
                .chain(totals.map(Value::from))
                .collect();
            assert_eq!(&found, expected, "{}: {month}", case["name"]);
        }
    }
}
