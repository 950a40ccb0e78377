//! Export of inquiries in four formats, and the output of lists.

mod list;
pub mod output;
mod sheet;
mod xlsx;

pub use list::{Column, List, ListFormat, csv_line, guard};
pub use output::Output;
pub use sheet::{InquiryWorkbook, cell, german};
pub use xlsx::Xlsx;

use std::path::Path;

use crate::config::args::ExportFormat;
use crate::domain::inquiry::EXPORT_COLUMNS;
use crate::domain::ledger::Acceptance;
use crate::domain::referral::InquiryRecord;
use crate::operate::CallError;

/// How an export treats suspected inquiries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Suspected {
    /// Omits them.
    #[default]
    LeftOut,
    /// Includes them with all others.
    Included,
    /// Exports only them.
    Only,
}

/// Exports inquiries to a file or standard output, and returns the number of suspected ones that were omitted. A workbook also
/// includes their acceptances from `acceptances`.
///
/// # Errors
/// When the inquiries cannot be read or written. An existing file at the path is left untouched.
pub fn export(
    inquiries: impl IntoIterator<Item = Result<InquiryRecord, CallError>>,
    acceptances: Vec<Acceptance>,
    suspected: Suspected,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<u64, CallError> {
    let output = Output::open(to)?;
    let format = match format {
        ExportFormat::Csv => ListFormat::Csv(&EXPORT_COLUMNS),
        ExportFormat::Json => ListFormat::Json,
        ExportFormat::Jsonl => ListFormat::Jsonl,
        ExportFormat::Xlsx => ListFormat::Xlsx(Box::new(InquiryWorkbook::new(Some(&output), acceptances)?)),
    };
    let mut list = List::new(output, format)?;
    let mut left_out = 0;
    // The inquiries are dropped with this loop. Compressing a workbook takes a while, and a reader of standard output may take
    // hours. Neither may happen while the store is being read, since that would preserve inquiries erased in the meantime.
    for record in inquiries {
        let record = record?;
        let Some(inquiry) = &record.inquiry else { continue };
        match (suspected, inquiry.suspected) {
            (Suspected::LeftOut, true) => left_out += 1,
            (Suspected::Only, false) => {}
            _ => list.write_record(&record)?,
        }
    }
    list.finish()?;
    Ok(left_out)
}
