//! Text formats: CSV and JSON arrays.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

/// CSV as in RFC 4180: UTF-8, CRLF, with a header line.
pub struct Csv<W: Write>(csv::Writer<W>);

impl<W: Write> Csv<W> {
    /// Starts the text with a header line.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(output: W, columns: &[&str]) -> io::Result<Self> {
        let mut builder = csv::WriterBuilder::new();
        let mut csv = Self(builder.terminator(csv::Terminator::CRLF).from_writer(output));
        csv.write(columns)?;
        Ok(csv)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> io::Result<()> {
        let mut cells = cells.into_iter();
        let written = cells.try_for_each(|cell| self.0.write_field(cell.as_ref()));
        let written = written.and_then(|()| self.0.write_record(None::<&[u8]>));
        // The library's own conversion would lose the error's kind.
        written.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })
    }

    /// Completes the text, and returns the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// A JSON array with one object per line.
pub struct JsonArray<W> {
    output: W,
    /// The separator before the next object.
    before: &'static str,
}

impl<W: Write> JsonArray<W> {
    /// Starts an array.
    pub fn new(output: W) -> Self {
        Self { output, before: "[" }
    }

    /// Writes an object.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&mut self, object: &impl Serialize) -> io::Result<()> {
        let before = std::mem::replace(&mut self.before, ",");
        writeln!(self.output, "{before}")?;
        Ok(serde_json::to_writer(&mut self.output, object)?)
    }

    /// Ends the array, and returns the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        let end = if self.before == "[" { "[]\n" } else { "\n]\n" };
        self.output.write_all(end.as_bytes())?;
        Ok(self.output)
    }
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
