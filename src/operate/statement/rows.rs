//! A statement as CSV and JSON. Times are in UTC; amounts have a decimal point and two places.

use std::io::Write;

use serde_json::{Value, json};

use crate::domain::inquiry::rfc3339_millis;
use crate::domain::ledger::{Acceptance, Statement};
use crate::operate::export::{Csv, ExportError, JsonArray};
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

/// Writes one line per acceptance, grouped by firm.
///
/// # Errors
/// When the output cannot be written.
pub fn csv<W: Write>(statement: &Statement, output: W) -> Result<W, ExportError> {
    let mut csv = Csv::new(output, &COLUMNS)?;
    for firm in &statement.firms {
        for line in &firm.lines {
            let line = extended(json!({ "firm": firm.firm }), acceptance(line));
            csv.write(COLUMNS.map(|column| line.get(column).and_then(Value::as_str).unwrap_or_default()))?;
        }
    }
    Ok(csv.finish()?)
}

/// Writes an array of firms with their acceptances and totals.
///
/// # Errors
/// When the output cannot be written.
pub fn json<W: Write>(statement: &Statement, output: W) -> Result<W, ExportError> {
    let mut json = JsonArray::new(output);
    for firm in firms(statement) {
        json.write(&firm)?;
    }
    Ok(json.finish()?)
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
