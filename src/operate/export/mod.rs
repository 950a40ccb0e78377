//! Exporting inquiries, in one of four formats.

mod error;
mod format;
mod inquiries;
pub mod output;
mod sheet;
mod subscribers;
mod xlsx;

pub use error::{ExportError, output_error};
pub use format::{Csv, JsonArray};
pub use output::Output;
pub use subscribers::export_subscribers;

use std::path::Path;

use futures_util::TryStreamExt;

use crate::config::args::ExportFormat;
use crate::domain::referral::InquiryRecord;
use crate::operate::RecordStream;
use inquiries::InquiryWriter;

/// What an export does with suspected inquiries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Suspected {
    /// It leaves them out.
    #[default]
    LeftOut,
    /// It holds them like all others.
    Included,
    /// It holds nothing else.
    Only,
}

/// Writes inquiries to a file, or to standard output, and returns the number of suspected ones that were left out.
///
/// # Errors
/// When something went wrong; a file of that name is then as it was.
pub async fn export(
    mut inquiries: RecordStream<InquiryRecord>,
    suspected: Suspected,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<u64, ExportError> {
    let mut writer = InquiryWriter::begin(format, Output::open(to)?)?;
    let mut left_out = 0;
    while let Some(record) = inquiries.try_next().await? {
        let (Some(inquiry), Some(row)) = (&record.inquiry, record.export_row()) else {
            continue;
        };
        match (suspected, inquiry.suspected) {
            (Suspected::LeftOut, true) => left_out += 1,
            (Suspected::Only, false) => {}
            _ => writer.write(&row)?,
        }
    }
    // Compressing a workbook takes a while, and the reader of standard output may take hours. For that long they must
    // neither keep the store locked nor keep inquiries that are erased meanwhile.
    drop(inquiries);
    writer.finish()?.keep()?;
    Ok(left_out)
}
