//! A statement as CSV and JSON. Times are in UTC; amounts have a decimal point and two places.

use serde_json::{Value, json};

use crate::domain::inquiry::rfc3339_millis;
use crate::domain::ledger::{Acceptance, BilledLine, LineKind, Statement};
use crate::operate::CallError;
use crate::operate::export::{cell, csv_line, guard};
use crate::operate::view::{credit_view, extended};

const COLUMNS: [&str; 9] = [
    "firm",
    "reference",
    "received",
    "accepted",
    "outcome",
    "net_sum",
    "commission",
    "late",
    "credit",
];

/// One line per acceptance, late report and credit, grouped by firm, below a header line.
///
/// # Errors
/// Those of the CSV writer, which cannot fail in memory.
pub fn csv(statement: &Statement) -> Result<Vec<u8>, CallError> {
    let mut csv = csv_line(COLUMNS)?;
    for firm in &statement.firms {
        for billed in &firm.lines {
            let credit = billed.0.credit_of(&billed.1);
            let texts = json!({
                "firm": firm.firm,
                "late": if billed.1.kind == LineKind::Late { "yes" } else { "" },
                "credit": guard(credit.map_or("", |credit| &credit.reason)),
            });
            let line = extended(view(billed), texts);
            csv.extend(csv_line(COLUMNS.map(|column| cell(&line, column)))?);
        }
    }
    Ok(csv)
}

/// The firms of a statement as JSON, each with its lines and totals.
pub fn firms(statement: &Statement) -> impl Iterator<Item = Value> {
    statement.firms.iter().map(|firm| {
        json!({
            "firm": firm.firm,
            "name": firm.name,
            "month": statement.month,
            "closed": statement.closed_at.map(rfc3339_millis),
            "acceptances": firm.lines.iter().map(view).collect::<Value>(),
            "net": firm.net,
            "vat_rate": statement.vat,
            "vat": firm.vat,
            "gross": firm.gross,
        })
    })
}

fn view((acceptance, line): &(Acceptance, BilledLine)) -> Value {
    json!({
        "reference": acceptance.reference(),
        "received": rfc3339_millis(acceptance.received()),
        "accepted": rfc3339_millis(acceptance.at),
        "outcome": line.outcome.id(),
        "net_sum": line.outcome.net_sum(),
        "commission": line.commission,
        "late": line.kind == LineKind::Late,
        "credit": acceptance.credit_of(line).map(credit_view),
    })
}
