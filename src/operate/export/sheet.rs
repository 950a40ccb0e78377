//! The workbook of inquiries: the columns of the export with German names and labels, and, for each firm that may accept, the
//! outcome that it reports and the amount billed for it.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use super::output::Output;
use super::xlsx::Xlsx;
use crate::domain::commission::{Euro, Outcome};
use crate::domain::inquiry::{EXPORT_COLUMNS, LIST_SEPARATOR, labels, reference};
use crate::domain::ledger::Acceptance;
use crate::domain::matching::FirmId;
use crate::domain::referral::InquiryRecord;
use crate::operate::CallError;

/// The columns, as [`Xlsx::new`] reads them.
const COLUMNS: &str = include_str!("templates/inquiries.txt");

const WORDS: &str = include_str!("templates/words.txt");

/// The maximum number of firms that accept an inquiry.
const FIRMS: usize = 3;

/// The columns before those of the firms.
const ANSWERS: usize = 13;

/// A workbook of inquiries being written.
pub struct InquiryWorkbook {
    xlsx: Xlsx,
    /// The outcomes that firms have reported for the inquiries that they accepted, and the amounts billed for them.
    billed: HashMap<(Uuid, FirmId), (Outcome, Euro)>,
}

impl InquiryWorkbook {
    /// Starts a workbook for an output or, without one, to be sent. `acceptances` are those of the ledger.
    ///
    /// # Errors
    /// When its temporary file cannot be written.
    pub fn new(output: Option<&Output>, acceptances: Vec<Acceptance>) -> Result<Self, CallError> {
        let xlsx = Xlsx::new(output, "Anfragen", COLUMNS)?;
        let billed = acceptances.into_iter().map(|acceptance| {
            let billed = (acceptance.reported(), acceptance.commission());
            ((acceptance.inquiry, acceptance.firm), billed)
        });
        Ok(Self {
            xlsx,
            billed: billed.collect(),
        })
    }

    /// Writes an inquiry, unless it was withdrawn or erased.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn write(&mut self, record: &InquiryRecord) -> Result<(), CallError> {
        let Some(row) = record.export_row().map(Value::from) else {
            return Ok(());
        };
        let columns = EXPORT_COLUMNS.iter().take(ANSWERS);
        let mut cells: Vec<Cow<'_, str>> = columns
            .map(|&column| match (column, cell(&row, column)) {
                ("property_type" | "types_of_problems" | "problem_locations", ids) => labels(ids).into(),
                ("state", id) => german(id).into(),
                (_, text) => text.into(),
            })
            .collect();
        let list = |column| cell(&row, column).split(LIST_SEPARATOR).chain([""; FIRMS]);
        for (name, at) in list("accepted_names").zip(list("accepted_at")).take(FIRMS) {
            cells.extend([name.into(), at.into()]);
        }
        cells.push(reference(record.id).into());
        for firm in record.referral.accepted_by().take(FIRMS) {
            let billed = self.billed.get(&(record.id, firm.clone())).copied();
            let (outcome, commission) = billed.unwrap_or_default();
            let sum = outcome.net_sum().map(|sum| sum.to_string()).unwrap_or_default();
            cells.extend([
                german(outcome.id()).into(),
                sum.into(),
                commission.to_string().into(),
            ]);
        }
        self.xlsx.write(cells)
    }

    /// Completes the workbook.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn finish(self) -> Result<Vec<u8>, CallError> {
        self.xlsx.finish()
    }
}

/// The German name of a state or an outcome.
pub fn german(id: &str) -> &str {
    let name = WORDS
        .lines()
        .find_map(|line| line.strip_prefix(id)?.strip_prefix('='));
    name.unwrap_or(id)
}

/// The text of a cell; empty if the entry has none.
pub fn cell<'a>(entry: &'a Value, column: &str) -> &'a str {
    entry.get(column).and_then(Value::as_str).unwrap_or_default()
}
