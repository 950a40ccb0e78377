//! A statement as CSV and as JSON. Times are in UTC, amounts have a point and two places.

use std::io::Write;

use serde::Serialize;

use crate::domain::inquiry::rfc3339_millis;
use crate::domain::ledger::{FirmStatement, Line, Statement};
use crate::operate::export::{Csv, ExportError, JsonArray};

const COLUMNS: [&str; 7] = [
    "firm",
    "reference",
    "received",
    "accepted",
    "outcome",
    "net_sum",
    "commission",
];

/// A firm in JSON.
#[derive(Debug, Serialize)]
pub struct FirmObject<'a> {
    firm: &'a str,
    name: &'a str,
    month: String,
    /// When the month was closed.
    closed: Option<String>,
    acceptances: Vec<LineObject<'a>>,
    net: String,
    vat_rate: String,
    vat: String,
    gross: String,
}

/// An acceptance in JSON.
#[derive(Debug, Serialize)]
struct LineObject<'a> {
    reference: &'a str,
    received: String,
    accepted: String,
    outcome: &'static str,
    net_sum: Option<String>,
    commission: String,
}

/// Writes each acceptance on a line, firm by firm.
///
/// # Errors
/// When the output cannot be written.
pub fn csv<W: Write>(statement: &Statement, output: W) -> Result<W, ExportError> {
    let mut csv = Csv::new(output, &COLUMNS)?;
    for firm in &statement.firms {
        for line in &firm.lines {
            csv.write([
                firm.firm.as_str(),
                &line.reference,
                &rfc3339_millis(line.received),
                &rfc3339_millis(line.accepted),
                line.outcome.id(),
                &line
                    .outcome
                    .net_sum()
                    .map(|sum| sum.to_string())
                    .unwrap_or_default(),
                &line.commission.to_string(),
            ])?;
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
    for firm in FirmObject::all(statement) {
        json.write(&firm)?;
    }
    Ok(json.finish()?)
}

impl<'a> FirmObject<'a> {
    /// Returns the firms of a statement.
    pub fn all(statement: &'a Statement) -> impl Iterator<Item = Self> {
        let firms = statement.firms.iter();
        firms.map(|firm| Self::new(statement, firm))
    }

    fn new(statement: &Statement, firm: &'a FirmStatement) -> Self {
        Self {
            firm: firm.firm.as_str(),
            name: &firm.name,
            month: statement.month.to_string(),
            closed: statement.closed_at.map(rfc3339_millis),
            acceptances: firm.lines.iter().map(LineObject::new).collect(),
            net: firm.net.to_string(),
            vat_rate: statement.vat.to_string(),
            vat: firm.vat.to_string(),
            gross: firm.gross.to_string(),
        }
    }
}

impl<'a> LineObject<'a> {
    fn new(line: &'a Line) -> Self {
        Self {
            reference: &line.reference,
            received: rfc3339_millis(line.received),
            accepted: rfc3339_millis(line.accepted),
            outcome: line.outcome.id(),
            net_sum: line.outcome.net_sum().map(|sum| sum.to_string()),
            commission: line.commission.to_string(),
        }
    }
}
