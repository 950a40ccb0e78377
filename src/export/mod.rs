//! Exporting inquiries: from a running server or from the file, in one of four formats.

mod csv_injection;
mod error;
mod format;
mod interrupt;
mod output;
mod progress;
mod row_writer;
mod source;
mod spool;
mod subscribers;
mod time;
mod xlsx;

pub use error::ExportError;
pub use format::ExportFormat;
pub use interrupt::Interrupt;
pub use output::Output;
pub use subscribers::{Subscriber, SubscriberExport, SubscriberFormat};
pub use time::{in_berlin, parse_bound};

use std::path::Path;

use crate::store::{Location, Selection};
use source::Source;

/// Writes the inquiries that are asked for to a file, or to standard output, and returns the number of suspected ones
/// that were left out.
///
/// # Errors
/// When something went wrong; a file of that name is then as it was. A reader of standard output that stops early, such
/// as `head`, is not an error.
pub fn export(
    location: &Location,
    selection: Selection,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<u64, ExportError> {
    let written = write(location, selection, format, to);
    match written {
        Err(error) if error.is_closed_pipe() => Ok(0),
        written => written,
    }
}

/// Returns how many inquiries an export would hold.
///
/// # Errors
/// When they cannot all be read.
pub fn count(location: &Location, selection: Selection) -> Result<u64, ExportError> {
    let mut count = 0;
    Source::open(location, selection)?.each(|_| {
        count += 1;
        Ok(())
    })?;
    Ok(count)
}

fn write(
    location: &Location,
    selection: Selection,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<u64, ExportError> {
    // First the inquiries, so that a wrong directory is reported before anything is created.
    let mut source = Source::open(location, selection)?;
    let output = Output::open(to)?;
    let progress = progress::bar(source.total(), to.is_some());
    // Standard output is not ours; there is nothing to clean up.
    let interrupt = to.is_some().then(Interrupt::watch).transpose()?;
    let mut writer = format::writer(format, output)?;
    source.each(|row| {
        if interrupt.as_ref().is_some_and(Interrupt::came) {
            return Err(ExportError::Interrupted);
        }
        progress.inc(1);
        writer.row(row)
    })?;
    let left_out = source.left_out();
    // Compressing a workbook takes a while, and the reader of standard output may take hours. For that long they must
    // neither keep the store locked nor keep inquiries that are erased meanwhile.
    drop(source);
    let output = writer.finish()?;
    progress.finish_and_clear();
    output.keep()?;
    Ok(left_out)
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;
    use crate::inquiry::{EXPORT_COLUMNS, ExportRow};

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
            let written = format::writer(kind, output).and_then(|mut writer| {
                for _ in 0..1000 {
                    writer.row(&row)?;
                }
                writer.finish()?.keep()
            });
            assert!(written.unwrap_err().is_closed_pipe(), "{kind:?}");
        }
    }
}
