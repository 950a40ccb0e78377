//! Handing out inquiries: from a running server or from the file, in one of four formats.

mod error;
mod format;
mod harmless;
mod interrupt;
mod output;
mod progress;
mod source;
mod time;
mod xlsx;

pub use error::ExportError;
pub use time::{in_berlin, parse_bound};

use std::path::Path;

use crate::cli::ExportFormat;
use crate::store::TimeRange;
use interrupt::Interrupt;
use output::Output;
use source::Source;

/// Writes the inquiries of a range to a file, or to standard output.
///
/// # Errors
/// When something went wrong; a file of that name is then as it was. Who stops reading standard output early,
/// such as `head`, is content: that is no error.
pub fn export(
    data_dir: &Path,
    range: TimeRange,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<(), ExportError> {
    let written = write(data_dir, range, format, to);
    match written {
        Err(error) if error.is_closed_pipe() => Ok(()),
        written => written,
    }
}

/// How many inquiries an export of a range would hold.
///
/// # Errors
/// When they cannot all be read.
pub fn count(data_dir: &Path, range: TimeRange) -> Result<u64, ExportError> {
    let mut count = 0;
    Source::open(data_dir, range)?.each(|_| {
        count += 1;
        Ok(())
    })?;
    Ok(count)
}

fn write(
    data_dir: &Path,
    range: TimeRange,
    format: ExportFormat,
    to: Option<&Path>,
) -> Result<(), ExportError> {
    // First the inquiries, so that a wrong directory is told before anything is made.
    let mut source = Source::open(data_dir, range)?;
    let output = Output::open(to)?;
    let progress = progress::bar(source.total(), to.is_some());
    // Standard output is another's; there is nothing to clean up.
    let interrupt = to.is_some().then(Interrupt::watch).transpose()?;
    let mut writer = format::writer(format, output)?;
    source.each(|row| {
        if interrupt.as_ref().is_some_and(Interrupt::came) {
            return Err(ExportError::Interrupted);
        }
        progress.inc(1);
        writer.row(row)
    })?;
    writer.finish()?.keep()?;
    progress.finish_and_clear();
    Ok(())
}

#[cfg(test)]
mod tests;
