//! Lists in every format: each is written entry by entry, without knowing its length in advance.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

use super::Output;
use super::sheet::InquiryWorkbook;
use super::sheet::cell;
use crate::domain::referral::InquiryRecord;
use crate::operate::CallError;

/// A column of a table: its name, its width in characters (0 for the last one, which is not padded), and the text of an entry's
/// cell.
pub type Column = (&'static str, usize, fn(&Value) -> String);

/// The column that is never guarded. A phone number starts with a plus, but has otherwise only digits and separators, which cannot
/// form a harmful formula.
const PHONE: &str = "phone_number";

/// The format of a list.
pub enum ListFormat {
    /// CSV as in RFC 4180 with these keys as columns: UTF-8, CRLF, with a header line.
    Csv(&'static [&'static str]),
    /// A JSON array with an object per line.
    Json,
    /// A JSON object per line.
    Jsonl,
    /// A table with aligned columns, for people. It has no header line if it is empty.
    Table(&'static [Column]),
    /// An Excel workbook, for inquiries only.
    Xlsx(Box<InquiryWorkbook>),
}

/// A list being written. Readers get it once it is complete.
pub struct List {
    output: Output,
    format: ListFormat,
    is_empty: bool,
}

impl List {
    /// Starts a list.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(mut output: Output, format: ListFormat) -> Result<Self, CallError> {
        if let ListFormat::Csv(columns) = format {
            output.write_all(&csv_line(columns)?)?;
        }
        Ok(Self {
            output,
            format,
            is_empty: true,
        })
    }

    /// Writes an entry, a JSON object.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&mut self, entry: &Value) -> Result<(), CallError> {
        let is_first = std::mem::take(&mut self.is_empty);
        let output = &mut self.output;
        match &mut self.format {
            ListFormat::Csv(columns) => {
                let cells = columns.iter().map(|column| match cell(entry, column) {
                    cell if *column == PHONE => Cow::Borrowed(cell),
                    cell => guard(cell),
                });
                let cells: Vec<_> = cells.collect();
                output.write_all(&csv_line(cells.iter().map(|cell| &**cell))?)?;
            }
            ListFormat::Json => {
                let before = if is_first { "[" } else { "," };
                write!(output, "{before}\n{entry}")?;
            }
            ListFormat::Jsonl => writeln!(output, "{entry}")?,
            ListFormat::Table(columns) => {
                if is_first {
                    let names = columns.iter().map(|&(name, width, _)| (name.to_owned(), width));
                    output.write_all(table_line(names).as_bytes())?;
                }
                let cells = columns.iter().map(|&(_, width, shown)| (shown(entry), width));
                output.write_all(table_line(cells).as_bytes())?;
            }
            ListFormat::Xlsx(_) => {}
        }
        Ok(())
    }

    /// Writes an inquiry, unless it was withdrawn or erased.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write_record(&mut self, record: &InquiryRecord) -> Result<(), CallError> {
        if let ListFormat::Xlsx(workbook) = &mut self.format {
            return workbook.write(record);
        }
        let row = record.export_row();
        row.map_or(Ok(()), |row| self.write(&row.into()))
    }

    /// Completes the list.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> Result<(), CallError> {
        match self.format {
            ListFormat::Json => {
                let end = if self.is_empty { "[]\n" } else { "\n]\n" };
                self.output.write_all(end.as_bytes())?;
            }
            ListFormat::Xlsx(workbook) => self.output.write_all(&workbook.finish()?)?,
            ListFormat::Csv(_) | ListFormat::Jsonl | ListFormat::Table(_) => {}
        }
        self.output.keep()
    }

    /// Writes all entries, and completes the list.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn complete(mut self, entries: impl IntoIterator<Item = Value>) -> Result<(), CallError> {
        for entry in entries {
            self.write(&entry)?;
        }
        self.finish()
    }
}

/// A line of CSV.
///
/// # Errors
/// Those of the CSV writer, which cannot fail in memory.
pub fn csv_line<C: AsRef<[u8]>>(cells: impl IntoIterator<Item = C>) -> io::Result<Vec<u8>> {
    let mut builder = csv::WriterBuilder::new();
    let mut line = builder.terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    line.write_record(cells)?;
    line.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn table_line(cells: impl Iterator<Item = (String, usize)>) -> String {
    let cells: Vec<_> = cells.map(|(text, width)| format!("{text:<width$}")).collect();
    format!("{}\n", cells.join("  ").trim_end())
}

/// Characters that start a formula in spreadsheets, including full-width forms.
const STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Guards a cell against CSV injection: cells that a spreadsheet would evaluate, such as `=HYPERLINK(…)`, are prefixed with an
/// apostrophe.
///
/// A cell that already looks guarded gets another apostrophe, so that the guard can be undone: remove one apostrophe from each cell
/// that begins with one or more apostrophes followed by a character that starts a formula.
pub fn guard(cell: &str) -> Cow<'_, str> {
    if cell.trim_start_matches('\'').starts_with(STARTS) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undo(cell: &str) -> &str {
        let formula = cell.trim_start_matches('\'').starts_with(STARTS);
        cell.strip_prefix('\'').filter(|_| formula).unwrap_or(cell)
    }

    #[test]
    fn formulas_get_one_apostrophe_and_lose_it_again() {
        for cell in [
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1", "'=1", "''@", "'＝",
        ] {
            assert_eq!(guard(cell), format!("'{cell}"));
            assert_eq!(undo(&guard(cell)), cell);
        }
        for cell in [
            "", "'", "''", "Anna", "'n Name", "O'Neill", "a=1", " =1", "5-7", "a@b.de", "'a'=1",
        ] {
            assert_eq!(guard(cell), cell);
            assert_eq!(undo(cell), cell);
        }
    }
}
