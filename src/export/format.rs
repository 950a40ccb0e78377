//! The formats of text: CSV, JSON, and JSON lines.

use std::borrow::Cow;
use std::io::{self, Write};

use super::csv_injection::guard;
use super::error::ExportError;
use super::output::Output;
use super::row_writer::RowWriter;
use super::xlsx::Xlsx;
use crate::inquiry::{EXPORT_COLUMNS, ExportRow};

/// The column that is never guarded.
const PHONE: &str = "phone_number";

/// What `export` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// RFC 4180: UTF-8, CRLF, header line
    Csv,
    /// One array of objects
    Json,
    /// One JSON object a line
    Jsonl,
    /// Excel workbook
    Xlsx,
}

/// Returns the writer for a format; what comes before the first inquiry is written.
pub fn writer(format: ExportFormat, output: Output) -> Result<Box<dyn RowWriter>, ExportError> {
    Ok(match format {
        ExportFormat::Csv => Box::new(Csv::new(output)?),
        ExportFormat::Json => Box::new(Json { output, before: "[" }),
        ExportFormat::Jsonl => Box::new(Jsonl(output)),
        ExportFormat::Xlsx => Box::new(Xlsx::new(output)?),
    })
}

/// RFC 4180: UTF-8, CRLF, a header line.
struct Csv(csv::Writer<Output>);

impl Csv {
    fn new(output: Output) -> Result<Self, ExportError> {
        let mut csv = Self(
            csv::WriterBuilder::new()
                .terminator(csv::Terminator::CRLF)
                .from_writer(output),
        );
        csv.write(&EXPORT_COLUMNS.map(Cow::Borrowed))?;
        Ok(csv)
    }

    fn write(&mut self, cells: &[Cow<'_, str>]) -> Result<(), ExportError> {
        let written = self.0.write_record(cells.iter().map(|cell| cell.as_bytes()));
        written.map_err(|error| {
            self.0.get_ref().error(match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => io::Error::other(format!("{other:?}")),
            })
        })
    }
}

impl RowWriter for Csv {
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        let mut cells = row.cells().map(guard);
        let mut columns = EXPORT_COLUMNS.iter().zip(&mut cells);
        if let Some((_, phone)) = columns.find(|(column, _)| **column == PHONE) {
            // It begins with a plus and stays as it is: a telephone number holds nothing but digits, spaces, hyphens,
            // parentheses and that plus, which is no formula that could do harm.
            *phone = Cow::Borrowed(&row.phone_number);
        }
        self.write(&cells)
    }

    fn finish(mut self: Box<Self>) -> Result<Output, ExportError> {
        self.0.flush().map_err(|error| self.0.get_ref().error(error))?;
        self.0.into_inner().map_err(|error| {
            let name = "standard output or a file".to_owned();
            ExportError::Output {
                to: name,
                source: error.error().kind().into(),
            }
        })
    }
}

/// One array of objects, each on a line of its own.
struct Json {
    output: Output,
    /// What stands before the next object.
    before: &'static str,
}

impl RowWriter for Json {
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        let before = std::mem::replace(&mut self.before, ",");
        let written = writeln!(self.output, "{before}").and_then(|()| write_json(&mut self.output, row));
        written.map_err(|error| self.output.error(error))
    }

    fn finish(mut self: Box<Self>) -> Result<Output, ExportError> {
        let end = if self.before == "[" { "[]\n" } else { "\n]\n" };
        self.output
            .write_all(end.as_bytes())
            .map_err(|error| self.output.error(error))?;
        Ok(self.output)
    }
}

/// One object a line.
struct Jsonl(Output);

impl RowWriter for Jsonl {
    fn row(&mut self, row: &ExportRow<'_>) -> Result<(), ExportError> {
        let written = write_json(&mut self.0, row).and_then(|()| self.0.write_all(b"\n"));
        written.map_err(|error| self.0.error(error))
    }

    fn finish(self: Box<Self>) -> Result<Output, ExportError> {
        Ok(self.0)
    }
}

fn write_json(output: &mut Output, row: &ExportRow<'_>) -> io::Result<()> {
    Ok(serde_json::to_writer(output, row)?)
}
