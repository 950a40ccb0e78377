//! Inquiries in one of four formats.

use std::borrow::Cow;
use std::io::Write;

use super::error::ExportError;
use super::format::{Csv, JsonArray, guard};
use super::output::Output;
use super::xlsx::Xlsx;
use crate::config::args::ExportFormat;
use crate::domain::inquiry::{EXPORT_COLUMNS, ExportRow};

/// The column that is never guarded.
const PHONE: &str = "phone_number";

/// Inquiries that are being written.
pub enum InquiryWriter {
    /// One a line, as cells.
    Csv(Box<Csv<Output>>),
    /// One array.
    Json(JsonArray<Output>),
    /// One object a line.
    Jsonl(Output),
    /// A workbook.
    Xlsx(Box<Xlsx>),
}

impl InquiryWriter {
    /// Writes what comes before the first inquiry.
    pub fn begin(format: ExportFormat, output: Output) -> Result<Self, ExportError> {
        Ok(match format {
            ExportFormat::Csv => Self::Csv(Box::new(Csv::new(output, &EXPORT_COLUMNS)?)),
            ExportFormat::Json => Self::Json(JsonArray::new(output)),
            ExportFormat::Jsonl => Self::Jsonl(output),
            ExportFormat::Xlsx => Self::Xlsx(Box::new(Xlsx::new(output)?)),
        })
    }

    /// Writes one inquiry.
    pub fn write(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        match self {
            Self::Csv(csv) => csv.write(guarded(row).iter().map(|cell| cell.as_bytes()))?,
            Self::Json(json) => json.write(row)?,
            Self::Jsonl(output) => {
                serde_json::to_writer(&mut *output, row).map_err(std::io::Error::from)?;
                output.write_all(b"\n")?;
            }
            Self::Xlsx(workbook) => workbook.write(row)?,
        }
        Ok(())
    }

    /// Writes what comes after the last inquiry; returns the output.
    pub fn finish(self) -> Result<Output, ExportError> {
        Ok(match self {
            Self::Csv(csv) => csv.finish()?,
            Self::Json(json) => json.finish()?,
            Self::Jsonl(output) => output,
            Self::Xlsx(workbook) => workbook.finish()?,
        })
    }
}

fn guarded<'a>(row: &'a ExportRow<'_>) -> Vec<Cow<'a, str>> {
    let columns = row.columns.iter().zip(&row.cells);
    let guarded = columns.map(|(column, cell)| match *column {
        // It begins with a plus and stays as it is: a telephone number holds nothing but digits, separators
        // and that plus, which is no formula that could do harm.
        PHONE => Cow::Borrowed(&**cell),
        _ => guard(cell),
    });
    guarded.collect()
}
