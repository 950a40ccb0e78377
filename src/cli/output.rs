//! What commands print to standard output: lines, JSON, and lists, which are a table with aligned columns, or one JSON array with an
//! object on each line. A list need not know how long it gets.

use std::io::{self, Write};

use serde::Serialize;

use super::CliError;
use crate::operate::export::{ExportError, JsonArray, Output};

/// One entry of a list. Its keys in JSON follow from its fields.
pub trait ListEntry: Serialize {
    /// Returns the row of a table.
    fn row(&self) -> Vec<Cell>;
}

/// A cell of a table: the name of its column; the column's width in characters, or 0 for the last, which is as wide as it needs;
/// and the text.
pub type Cell = (&'static str, usize, String);

/// A list that is being written. Its reader gets it when it is complete.
pub enum List {
    /// For programs.
    Json(JsonArray<Output>),
    /// For people.
    Table {
        /// Where it goes.
        output: Output,
        /// Whether the names of the columns are written.
        has_head: bool,
    },
}

impl List {
    /// Begins a list.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn begin(json: bool) -> Result<Self, ExportError> {
        let output = Output::open(None)?;
        Ok(if json {
            Self::Json(JsonArray::new(output))
        } else {
            Self::Table {
                output,
                has_head: false,
            }
        })
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, entry: &impl ListEntry) -> Result<(), ExportError> {
        match self {
            Self::Json(json) => json.write(entry)?,
            Self::Table { output, has_head } => {
                let row = entry.row();
                let head = row.iter().map(|(name, width, _)| (*name, *width));
                let cells = row.iter().map(|(_, width, text)| (text.as_str(), *width));
                let lines = if std::mem::replace(has_head, true) {
                    line(cells)
                } else {
                    line(head) + &line(cells)
                };
                output.write_all(lines.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Completes the list.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), ExportError> {
        let output = match self {
            Self::Json(json) => json.finish()?,
            Self::Table { output, .. } => output,
        };
        output.keep()
    }
}

/// Prints to standard output. A reader that stops early is not an error.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(text: &str) -> Result<(), CliError> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints one object as JSON.
///
/// # Errors
/// As for [`print`].
pub fn print_json(object: &impl Serialize) -> Result<(), CliError> {
    let json = serde_json::to_string_pretty(object).map_err(io::Error::from)?;
    print(&format!("{json}\n"))
}

/// Says what was done, which is so even if standard output is closed.
pub fn say(text: impl AsRef<str>) {
    let _ = io::stdout().write_all(text.as_ref().as_bytes());
}

/// Returns a number of things in words.
pub fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// Returns a number of inquiries in words.
pub fn inquiries(count: u64) -> String {
    counted(count, "inquiry", "inquiries")
}

fn line<'a>(cells: impl Iterator<Item = (&'a str, usize)>) -> String {
    let cells: Vec<_> = cells.map(|(text, width)| format!("{text:<width$}")).collect();
    format!("{}\n", cells.join("  ").trim_end())
}
