//! A statement as an Excel workbook.

use crate::domain::inquiry::rfc3339_millis;
use crate::domain::ledger::{LineKind, Statement};
use crate::operate::CallError;
use crate::operate::export::{Output, Xlsx, german};

/// The columns, as [`Xlsx::new`] reads them.
const COLUMNS: &str = include_str!("templates/lines.txt");

/// A statement as a workbook, for an output or, without one, to be sent.
///
/// # Errors
/// When its temporary file cannot be written.
pub fn workbook(statement: &Statement, output: Option<&Output>) -> Result<Vec<u8>, CallError> {
    let mut xlsx = Xlsx::new(output, "Abrechnung", COLUMNS)?;
    for firm in &statement.firms {
        for (acceptance, line) in &firm.lines {
            let sum = line.outcome.net_sum().map(|sum| sum.to_string());
            let late = if line.kind == LineKind::Late { "ja" } else { "" };
            let credit = acceptance.credit_of(line).map(|credit| &*credit.reason);
            xlsx.write([
                &*firm.name,
                &*acceptance.reference(),
                &rfc3339_millis(acceptance.received()),
                &rfc3339_millis(acceptance.at),
                german(line.outcome.id()),
                &sum.unwrap_or_default(),
                &line.commission.to_string(),
                late,
                credit.unwrap_or_default(),
            ])?;
        }
    }
    xlsx.finish()
}
