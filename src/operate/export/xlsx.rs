//! The Excel format, in German: for people, not for programs. Times are dates in Hamburg's time zone and amounts are numbers, so
//! that Excel can calculate with them. All other cells are text, so that nothing is interpreted as a number or formula.

use rust_xlsxwriter::{Format, Workbook, XlsxError};

use super::output::{Output, output_error};
use crate::base::panics;
use crate::base::text::berlin;
use crate::base::text::mail_address::one_line;
use crate::domain::inquiry::parse_rfc3339;
use crate::operate::CallError;

/// A workbook being written. Rows go to a temporary file until they are compressed, so that memory does not grow with their number.
pub struct Xlsx {
    workbook: Workbook,
    /// The formats of the last sheet's columns.
    formats: Vec<Option<Format>>,
    rows: u32,
    /// The name of the output, for errors.
    to: String,
}

impl Xlsx {
    /// Creates a workbook with one sheet and its header, for an output or, without one, to be sent. Each line of `columns` is a name, a
    /// width in characters and, for times and amounts, the format of cells that can be read as such: `Erstellt;17;dd.mm.yyyy hh:mm`.
    pub fn new(output: Option<&Output>, name: &str, columns: &str) -> Result<Self, CallError> {
        let to = output.map_or_else(|| "the workbook".to_owned(), |output| output.name.clone());
        let (mut workbook, mut formats) = (Workbook::new(), Vec::new());
        attempt(&to, || {
            // Keep personal data in the directory of the output.
            if let Some(directory) = output.and_then(Output::directory) {
                workbook.set_tempdir(directory)?;
            }
            let sheet = workbook.add_worksheet_with_constant_memory()?;
            sheet.set_name(name)?;
            sheet.set_freeze_panes(1, 0)?;
            let bold = Format::new().set_bold();
            for (column, line) in (0..).zip(columns.lines()) {
                let mut parts = line.split(';');
                let [name, width] = [(); 2].map(|()| parts.next().unwrap_or_default());
                sheet.set_column_width(column, width.parse().unwrap_or(16.0))?;
                sheet.write_string_with_format(0, column, name, &bold)?;
                formats.push(parts.next().map(|format| Format::new().set_num_format(format)));
            }
            Ok(())
        })?;
        let rows = 1;
        Ok(Self {
            workbook,
            formats,
            rows,
            to,
        })
    }

    /// Writes a row, in the order of the columns.
    pub fn write(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) -> Result<(), CallError> {
        attempt(&self.to, || {
            let row = self.rows;
            let sheet = self.workbook.worksheet_from_index(0)?;
            for ((column, format), cell) in (0..).zip(&self.formats).zip(cells) {
                let cell = cell.as_ref();
                let read = |format| (format, parse_rfc3339(cell), cell.parse::<f64>());
                match format.as_ref().map(read) {
                    Some((format, Some(time), _)) => {
                        let local = time.to_zoned(berlin::zone()).datetime();
                        sheet.write_with_format(row, column, &local, format)?
                    }
                    Some((format, _, Ok(amount))) => sheet.write_with_format(row, column, amount, format)?,
                    _ => sheet.write_string(row, column, cell)?,
                };
            }
            self.rows += 1;
            Ok(())
        })
    }

    /// Completes the workbook.
    pub fn finish(mut self) -> Result<Vec<u8>, CallError> {
        // Saved to memory, since the library prints errors itself when saving anywhere else.
        attempt(&self.to, || self.workbook.save_to_buffer())
    }
}

/// Runs a step, and catches the panics of the workbook writer when its temporary files cannot be written.
fn attempt<T>(to: &str, step: impl FnOnce() -> Result<T, XlsxError>) -> Result<T, CallError> {
    match panics::catch(step) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(XlsxError::IoError(error))) => Err(output_error(to, &error).into()),
        Ok(Err(error)) => Err(failed(&one_line(&error.to_string()))),
        Err(panic) => Err(failed(&panic)),
    }
}

fn failed(reason: &str) -> CallError {
    let advice = "make room for temporary files, or try another --format";
    CallError::Failed(format!("cannot write the workbook: {reason}; {advice}"))
}
