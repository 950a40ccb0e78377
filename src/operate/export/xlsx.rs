//! The Excel format, in German: for people, not for programs. Times are dates in Hamburg's time zone that Excel can calculate with.
//! All other cells are text, so that nothing is interpreted as a number or formula.

use std::io::Write;

use rust_xlsxwriter::{Format, Workbook, XlsxError};
use serde_json::Value;

use super::output::Output;
use super::sheet::{COLUMNS, TIMES, cells};
use crate::base::panics;
use crate::base::text::berlin;
use crate::base::text::mail_address::one_line;
use crate::domain::inquiry::parse_rfc3339;
use crate::operate::CallError;

/// A workbook being written. Rows go to a temporary file until they are compressed, so that memory does not grow with their number.
pub struct Xlsx {
    workbook: Workbook,
    rows: u32,
    time: Format,
}

impl Xlsx {
    /// Creates a workbook with one sheet and its header.
    pub fn new(output: &Output) -> Result<Self, CallError> {
        let mut workbook = Workbook::new();
        attempt(output, || {
            // Keep personal data in the directory of the output.
            if let Some(directory) = output.directory() {
                workbook.set_tempdir(directory)?;
            }
            let sheet = workbook.add_worksheet_with_constant_memory()?;
            sheet.set_name("Anfragen")?;
            sheet.set_freeze_panes(1, 0)?;
            let bold = Format::new().set_bold();
            for (column, (name, width)) in (0..).zip(COLUMNS) {
                sheet.set_column_width(column, width)?;
                sheet.write_string_with_format(0, column, name, &bold)?;
            }
            Ok(())
        })?;
        Ok(Self {
            workbook,
            rows: 1,
            time: Format::new().set_num_format("dd.mm.yyyy hh:mm"),
        })
    }

    /// Writes an inquiry.
    pub fn write(&mut self, row: &Value, output: &Output) -> Result<(), CallError> {
        attempt(output, || {
            let sheet = self.workbook.worksheet_from_index(0)?;
            for (column, cell) in (0..).zip(cells(row)) {
                let time = TIMES.contains(&column).then(|| parse_rfc3339(&cell)).flatten();
                let local = time.map(|time| time.to_zoned(berlin::zone()).datetime());
                match local {
                    Some(time) => sheet.write_with_format(self.rows, column, &time, &self.time)?,
                    None => sheet.write_string(self.rows, column, cell)?,
                };
            }
            self.rows += 1;
            Ok(())
        })
    }

    /// Completes the workbook, and writes it to the output.
    pub fn finish(mut self, output: &mut Output) -> Result<(), CallError> {
        // Saved to memory, since the library prints errors itself when saving anywhere else.
        let workbook = attempt(output, || self.workbook.save_to_buffer())?;
        Ok(output.write_all(&workbook)?)
    }
}

/// Runs a step, and catches the panics of the workbook writer when its temporary files cannot be written.
fn attempt<T>(output: &Output, step: impl FnOnce() -> Result<T, XlsxError>) -> Result<T, CallError> {
    match panics::catch(step) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(XlsxError::IoError(error))) => Err(output.error(&error).into()),
        Ok(Err(error)) => Err(failed(&one_line(&error.to_string()))),
        Err(panic) => Err(failed(&panic)),
    }
}

fn failed(reason: &str) -> CallError {
    let advice = "make room for temporary files, or try another --format";
    CallError::Failed(format!("cannot write the workbook: {reason}; {advice}"))
}
