//! The Excel format, in German: for people, and not for programs. Times are those of Hamburg, as dates that Excel can reckon with; all
//! other cells are text, so that nothing is taken for a number or a formula.

use std::io::{self, Write};

use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

use super::error::ExportError;
use super::output::Output;
use super::sheet::{self, COLUMNS, SheetCell};
use crate::base::panics;
use crate::base::text::mail_address::one_line;
use crate::domain::inquiry::ExportRow;

/// Rows of a sheet, as Excel has them; the first is the header.
const ROWS: u32 = 1_048_576;

/// A workbook that is being written. Rows go to a temporary file, so that memory does not grow with their number.
pub struct Xlsx {
    workbook: Workbook,
    output: Output,
    rows_of_sheet: u32,
    rows: u32,
    sheet: usize,
    time: Format,
}

impl Xlsx {
    /// Creates a workbook with its first sheet.
    pub fn new(output: Output) -> Result<Self, ExportError> {
        Self::with_rows(output, ROWS)
    }

    /// As [`Self::new`], with sheets of another length.
    fn with_rows(output: Output, rows_of_sheet: u32) -> Result<Self, ExportError> {
        let mut xlsx = Self {
            workbook: Workbook::new(),
            output,
            rows_of_sheet,
            rows: 0,
            sheet: 0,
            time: Format::new().set_num_format("dd.mm.yyyy hh:mm"),
        };
        xlsx.attempt(|xlsx| {
            // Personal data stays where the output is.
            if let Some(directory) = xlsx.output.directory() {
                xlsx.workbook.set_tempdir(directory)?;
            }
            xlsx.begin_sheet(0)
        })?;
        Ok(xlsx)
    }

    fn begin_sheet(&mut self, number: usize) -> Result<(), XlsxError> {
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        let name = if number == 0 {
            "Anfragen".to_owned()
        } else {
            format!("Anfragen {}", number + 1)
        };
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        let bold = Format::new().set_bold();
        for (column, (name, width)) in (0..).zip(COLUMNS) {
            sheet.set_column_width(column, width)?;
            sheet.write_string_with_format(0, column, name, &bold)?;
        }
        self.sheet = number;
        self.rows = 1;
        Ok(())
    }

    /// Writes one inquiry.
    pub fn write(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        self.attempt(|xlsx| xlsx.write_row(row))
    }

    /// Completes the workbook; returns the output.
    pub fn finish(mut self) -> Result<Output, ExportError> {
        let mut failed = None;
        self.attempt(|xlsx| {
            xlsx.workbook.save_to_writer(DeferredError {
                output: &mut xlsx.output,
                failed: &mut failed,
            })
        })?;
        failed.map_or(Ok(self.output), |error| Err(error.into()))
    }

    fn write_row(&mut self, row: &ExportRow<'_>) -> Result<(), XlsxError> {
        if self.rows == self.rows_of_sheet {
            self.begin_sheet(self.sheet + 1)?;
        }
        let sheet: &mut Worksheet = self.workbook.worksheet_from_index(self.sheet)?;
        for (column, cell) in (0..).zip(sheet::cells(row)) {
            match cell {
                SheetCell::Text(text) => sheet.write_string(self.rows, column, text)?,
                SheetCell::Time(time) => {
                    sheet.write_datetime_with_format(self.rows, column, &time, &self.time)?
                }
            };
        }
        self.rows += 1;
        Ok(())
    }

    /// Runs a step; the workbook writer panics when its temporary files cannot be written.
    fn attempt(&mut self, step: impl FnOnce(&mut Self) -> Result<(), XlsxError>) -> Result<(), ExportError> {
        match panics::catch(|| step(self)) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(XlsxError::IoError(error))) => Err(self.output.error(error).into()),
            Ok(Err(XlsxError::ZipError(error))) => Err(self.output.error(error.into()).into()),
            Ok(Err(error)) => Err(ExportError::Workbook(one_line(&error.to_string()))),
            Err(panic) => Err(ExportError::Workbook(panic)),
        }
    }
}

/// Keeps the first error for later: the library for ZIP files would print it on standard error by itself.
struct DeferredError<'a> {
    output: &'a mut Output,
    failed: &'a mut Option<io::Error>,
}

impl DeferredError<'_> {
    fn attempt(&mut self, step: impl FnOnce(&mut Output) -> io::Result<()>) {
        if self.failed.is_none() {
            *self.failed = step(self.output).err();
        }
    }
}

impl Write for DeferredError<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|output| output.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(Output::flush);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use calamine::{Reader, open_workbook};

    use super::*;

    #[test]
    fn a_full_sheet_is_followed_by_another() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut xlsx = Xlsx::with_rows(Output::open(Some(file.path())).unwrap(), 3).unwrap();
        for number in 0..5 {
            let text = format!(
                r#"{{"id":"{number}","created_at":"","postal_code":"","property_type":"","types_of_problems":"","problem_locations":"","first_name":"","last_name":"","email_address":"","phone_number":"","state":"","accepted_by":"","addition":"","accepted_names":"","accepted_at":""}}"#
            );
            let row: ExportRow<'_> = serde_json::from_str(&text).unwrap();
            xlsx.write(&row).unwrap();
        }
        xlsx.finish().unwrap().keep().unwrap();
        let mut workbook: calamine::Xlsx<_> = open_workbook(file.path()).unwrap();
        let ids: Vec<Vec<String>> = workbook
            .worksheets()
            .iter()
            .map(|(_, sheet)| sheet.rows().map(|row| row[0].to_string()).collect())
            .collect();
        assert_eq!(
            ids,
            [
                vec!["Kennung", "0", "1"],
                vec!["Kennung", "2", "3"],
                vec!["Kennung", "4"]
            ]
        );
        assert_eq!(workbook.sheet_names(), ["Anfragen", "Anfragen 2", "Anfragen 3"]);
    }
}
