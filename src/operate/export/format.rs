//! The formats of text: CSV, JSON and JSON lines.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::csv_injection::guard;
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
            *phone = Cow::Borrowed(&row.phone_number);
        }
        self.write(cells.iter().map(|cell| cell.as_bytes()))
    }

    fn finish(self: Box<Self>) -> Result<Output, ExportError> {
        Self::finish(*self)
    }
}

/// One array of objects, each on a line of its own.
pub struct Json {
    output: Output,
    /// What stands before the next object.
    before: &'static str,
}

impl Json {
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

impl RowWriter for Json {
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
