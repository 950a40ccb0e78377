//! Export of inquiries in four formats.

mod format;
pub mod output;
mod sheet;
mod xlsx;

pub use format::{Csv, JsonArray, guard};
pub use output::Output;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use futures_util::TryStreamExt;

use crate::config::args::ExportFormat;
use crate::domain::inquiry::{EXPORT_COLUMNS, ExportRow};
use crate::domain::referral::InquiryRecord;
use crate::operate::{CallError, RecordStream};
use xlsx::Xlsx;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The inquiries could not be read.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The output cannot be written. The error names it.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// The workbook cannot be written.
    #[error("cannot write the workbook: {0}; make room for temporary files, or try another --format")]
    Workbook(String),
}

/// The column that is never guarded.
const PHONE: &str = "phone_number";

/// How an export treats suspected inquiries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Suspected {
    /// Omits them.
    #[default]
    LeftOut,
    /// Includes them with all others.
    Included,
    /// Exports nothing else.
    Only,
}

/// Exports inquiries to a file or standard output, and returns the number of suspected ones that were omitted.
///
/// # Errors
/// When the inquiries cannot be read or written. An existing file at the path is left untouched.
pub async fn export(
    inquiries: RecordStream<InquiryRecord>,
    suspected: Suspected,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<u64, ExportError> {
    let mut output = Output::open(to)?;
    let (output, left_out) = match format {
        ExportFormat::Csv => {
            let mut csv = Csv::new(output, &EXPORT_COLUMNS)?;
            let left_out = each(inquiries, suspected, |row| Ok(csv.write(guarded(row))?)).await?;
            (csv.finish()?, left_out)
        }
        ExportFormat::Json => {
            let mut json = JsonArray::new(output);
            let left_out = each(inquiries, suspected, |row| Ok(json.write(row)?)).await?;
            (json.finish()?, left_out)
        }
        ExportFormat::Jsonl => {
            let write = |row: &ExportRow<'_>| {
                serde_json::to_writer(&mut output, row).map_err(io::Error::from)?;
                Ok(output.write_all(b"\n")?)
            };
            let left_out = each(inquiries, suspected, write).await?;
            (output, left_out)
        }
        ExportFormat::Xlsx => {
            let mut workbook = Xlsx::new(output)?;
            let left_out = each(inquiries, suspected, |row| workbook.write(row)).await?;
            (workbook.finish()?, left_out)
        }
    };
    output.keep()?;
    Ok(left_out)
}

/// Writes each inquiry that belongs in the export, and returns the number of omitted ones. Compressing a workbook takes a while,
/// and a reader of standard output may take hours. Neither must happen while the store is being read, since that would keep
/// inquiries that are erased meanwhile.
async fn each(
    mut inquiries: RecordStream<InquiryRecord>,
    suspected: Suspected,
    mut write: impl FnMut(&ExportRow<'_>) -> Result<(), ExportError>,
) -> Result<u64, ExportError> {
    let mut left_out = 0;
    while let Some(record) = inquiries.try_next().await? {
        let (Some(inquiry), Some(row)) = (&record.inquiry, record.export_row()) else {
            continue;
        };
        match (suspected, inquiry.suspected) {
            (Suspected::LeftOut, true) => left_out += 1,
            (Suspected::Only, false) => {}
            _ => write(&row)?,
        }
    }
    Ok(left_out)
}

fn guarded<'a>(row: &'a ExportRow<'_>) -> impl Iterator<Item = Cow<'a, str>> {
    let cells = row.columns.iter().zip(&row.cells);
    cells.map(|(column, cell)| match *column {
        // Starts with a plus but is not guarded: a phone number has only digits, separators and that plus, which cannot form a
        // harmful formula.
        PHONE => Cow::Borrowed(&**cell),
        _ => guard(cell),
    })
}
