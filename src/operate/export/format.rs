//! The formats of text: CSV, JSON and JSON lines.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::error::ExportError;
use super::output::Output;
use crate::domain::inquiry::{EXPORT_COLUMNS, ExportRow};

/// The column that is never guarded.
const PHONE: &str = "phone_number";

/// Writes inquiries in one format.
pub trait RowWriter {
    /// Writes one inquiry.
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError>;

    /// Writes what comes after the last inquiry; returns the output.
    fn finish(self: Box<Self>) -> Result<Output, ExportError>;
}

/// RFC 4180: UTF-8, CRLF, a header line.
pub struct Csv(csv::Writer<Output>);

impl Csv {
    /// Writes the header line.
    pub fn new(output: Output, columns: &[&str]) -> Result<Self, ExportError> {
        let mut csv = Self(
            csv::WriterBuilder::new()
                .terminator(csv::Terminator::CRLF)
                .from_writer(output),
        );
        csv.write(columns)?;
        Ok(csv)
    }

    /// Writes a line.
    pub fn write<C: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<(), ExportError> {
        let written = self.0.write_record(cells);
        written.map_err(|error| {
            // Converted by the library, it would lose what kind of error it is.
            self.0.get_ref().error(match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => io::Error::other(format!("{other:?}")),
            })
        })
    }

    /// Completes the text; returns the output.
    pub fn finish(mut self) -> Result<Output, ExportError> {
        self.0.flush().map_err(|error| self.0.get_ref().error(error))?;
        self.0.into_inner().map_err(|error| ExportError::Output {
            to: "standard output or a file".to_owned(),
            source: error.error().kind().into(),
        })
    }
}

impl RowWriter for Csv {
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        let mut cells = row.cells().map(guard);
        let mut columns = EXPORT_COLUMNS.iter().zip(&mut cells);
        if let Some((_, phone)) = columns.find(|(column, _)| **column == PHONE) {
            // It begins with a plus and stays as it is: a telephone number holds nothing but digits, separators
            // and that plus, which is no formula that could do harm.
            *phone = Cow::Borrowed(&row.inquiry.phone_number);
        }
        self.write(cells.iter().map(|cell| cell.as_bytes()))
    }

    fn finish(self: Box<Self>) -> Result<Output, ExportError> {
        Self::finish(*self)
    }
}

/// One array of objects, each on a line of its own.
pub struct JsonArray {
    output: Output,
    /// What stands before the next object.
    before: &'static str,
}

impl JsonArray {
    /// Begins an array.
    pub fn new(output: Output) -> Self {
        Self { output, before: "[" }
    }

    /// Writes an object.
    pub fn write(&mut self, object: &impl Serialize) -> Result<(), ExportError> {
        let before = std::mem::replace(&mut self.before, ",");
        let written = writeln!(self.output, "{before}");
        let written = written.and_then(|()| Ok(serde_json::to_writer(&mut self.output, object)?));
        written.map_err(|error| self.output.error(error))
    }

    /// Ends the array; returns the output.
    pub fn finish(mut self) -> Result<Output, ExportError> {
        let end = if self.before == "[" { "[]\n" } else { "\n]\n" };
        let written = self.output.write_all(end.as_bytes());
        written.map_err(|error| self.output.error(error))?;
        Ok(self.output)
    }
}

impl RowWriter for JsonArray {
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        self.write(row)
    }

    fn finish(self: Box<Self>) -> Result<Output, ExportError> {
        Self::finish(*self)
    }
}

/// One object a line.
pub struct Jsonl(pub Output);

impl RowWriter for Jsonl {
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        let written = serde_json::to_writer(&mut self.0, row).map_err(io::Error::from);
        let written = written.and_then(|()| self.0.write_all(b"\n"));
        written.map_err(|error| self.0.error(error))
    }

    fn finish(self: Box<Self>) -> Result<Output, ExportError> {
        Ok(self.0)
    }
}

/// Characters with which a spreadsheet begins a formula, full-width forms included.
const STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Guards a cell against CSV injection: one that a spreadsheet would run, such as `=HYPERLINK(…)`, gets an apostrophe in front.
///
/// A cell that already looks like the result gets one more, so that the guard can be undone: strip one apostrophe from each cell in
/// which a formula's first character follows one or more apostrophes, and every cell is as it was.
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
