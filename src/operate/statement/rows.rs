//! A statement as CSV and JSON. Times are in UTC; amounts have a decimal point and two places.

use serde_json::{Value, json};

use crate::domain::inquiry::rfc3339_millis;
use crate::domain::ledger::{Acceptance, Statement};
use crate::operate::CallError;
use crate::operate::export::{cell, csv_line};
use crate::operate::view::extended;

const COLUMNS: [&str; 7] = [
    "firm",
    "reference",
    "received",
    "accepted",
    "outcome",
    "net_sum",
    "commission",
];

/// One line per acceptance, grouped by firm, below a header line.
///
/// # Errors
/// Those of the CSV writer, which cannot fail in memory.
pub fn csv(statement: &Statement) -> Result<Vec<u8>, CallError> {
    let mut csv = csv_line(COLUMNS)?;
    for firm in &statement.firms {
        for line in &firm.lines {
            let line = extended(json!({ "firm": firm.firm }), acceptance(line));
            csv.extend(csv_line(COLUMNS.map(|column| cell(&line, column)))?);
        }
    }
    Ok(csv)
}

/// The firms of a statement as JSON, each with its acceptances and totals.
pub fn firms(statement: &Statement) -> impl Iterator<Item = Value> {
    statement.firms.iter().map(|firm| {
        json!({
            "firm": firm.firm,
            "name": firm.name,
            "month": statement.month,
            "closed": statement.closed_at.map(rfc3339_millis),
            "acceptances": firm.lines.iter().map(acceptance).collect::<Value>(),
            "net": firm.net,
            "vat_rate": statement.vat,
            "vat": firm.vat,
            "gross": firm.gross,
        })
    })
}

fn acceptance(line: &Acceptance) -> Value {
    json!({
        "reference": line.reference(),
        "received": rfc3339_millis(line.received()),
        "accepted": rfc3339_millis(line.at),
        "outcome": line.outcome.id(),
        "net_sum": line.outcome.net_sum(),
        "commission": line.commission(),
    })
}
