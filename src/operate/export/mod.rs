//! Exporting inquiries, in one of four formats.

mod error;
mod format;
pub mod output;
mod sheet;
mod spool;
mod subscribers;
mod xlsx;

pub use error::ExportError;
pub use format::{Csv, JsonArray};
pub use output::{Interrupt, Output};
pub use subscribers::{Subscriber, SubscriberExport};

use std::io::{IsTerminal, stderr, stdout};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use crate::config::args::ExportFormat;
use crate::domain::inquiry::EXPORT_COLUMNS;
use crate::domain::referral::InquiryRecord;
use crate::operate::RecordStream;
use format::{Jsonl, RowWriter};
use xlsx::Xlsx;

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
/// When something went wrong; a file of that name is then as it was. A reader of standard output that stops early, such
/// as `head`, is not an error.
pub async fn export(
    inquiries: RecordStream<InquiryRecord>,
    suspected: Suspected,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<u64, ExportError> {
    match write(inquiries, suspected, format, to).await {
        Err(error) if error.is_closed_pipe() => Ok(0),
        written => written,
    }
}

async fn write(
    mut inquiries: RecordStream<InquiryRecord>,
    suspected: Suspected,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<u64, ExportError> {
    let output = Output::open(to)?;
    let progress = progress(inquiries.total(), to.is_some());
    // Standard output is not a file of ours; there is nothing to clean up.
    let interrupt = to.is_some().then(Interrupt::watch).transpose()?;
    let mut writer = writer(format, output)?;
    let mut left_out = 0;
    while let Some(record) = inquiries.next().await? {
        if interrupt.as_ref().is_some_and(Interrupt::came) {
            return Err(ExportError::Interrupted);
        }
        progress.inc(1);
        let (Some(inquiry), Some(row)) = (&record.inquiry, record.export_row()) else {
            continue;
        };
        match (suspected, inquiry.suspected) {
            (Suspected::LeftOut, true) => left_out += 1,
            (Suspected::Only, false) => {}
            _ => writer.row(&row)?,
        }
    }
    // Compressing a workbook takes a while, and the reader of standard output may take hours. For that long they must
    // neither keep the store locked nor keep inquiries that are erased meanwhile.
    drop(inquiries);
    let output = writer.finish()?;
    progress.finish_and_clear();
    output.keep()?;
    Ok(left_out)
}

/// Returns the writer for a format; what comes before the first inquiry is written.
fn writer(format: ExportFormat, output: Output) -> Result<Box<dyn RowWriter>, ExportError> {
    Ok(match format {
        ExportFormat::Csv => Box::new(Csv::new(output, &EXPORT_COLUMNS)?),
        ExportFormat::Json => Box::new(JsonArray::new(output)),
        ExportFormat::Jsonl => Box::new(Jsonl(output)),
        ExportFormat::Xlsx => Box::new(Xlsx::new(output)?),
    })
}

/// Returns a progress bar on standard error; hidden when that is not a terminal, or when the inquiries themselves go to
/// one. `total` counts inquiries outside the range too, so a narrowed export ends before the bar is full.
fn progress(total: u64, to_file: bool) -> ProgressBar {
    if !stderr().is_terminal() || (!to_file && stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} inquiries, {eta} left");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;
    use crate::domain::inquiry::ExportRow;

    #[test]
    fn a_reader_that_goes_away_is_no_error() {
        let cells = EXPORT_COLUMNS.map(|column| (column.to_owned(), "x".into()));
        let text = serde_json::Value::Object(cells.into_iter().collect()).to_string();
        let row: ExportRow<'_> = serde_json::from_str(&text).unwrap();
        for kind in [
            ExportFormat::Csv,
            ExportFormat::Json,
            ExportFormat::Jsonl,
            ExportFormat::Xlsx,
        ] {
            let (reader, writer) = std::io::pipe().unwrap();
            let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
            let output = Output::open(Some(Path::new(&path))).unwrap();
            drop(reader);
            let written = super::writer(kind, output).and_then(|mut writer| {
                for _ in 0..1000 {
                    writer.row(&row)?;
                }
                writer.finish()?.keep()
            });
            assert!(written.unwrap_err().is_closed_pipe(), "{kind:?}");
        }
    }
}
