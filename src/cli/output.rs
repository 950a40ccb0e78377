//! Standard output of commands: lines, JSON, and lists. A list is a table with aligned columns or a JSON array with an object per
//! line, and is written without knowing its length in advance.

use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::Value;

use super::CliError;
use crate::base::text::berlin::in_berlin;
use crate::operate::export::{ExportError, JsonArray, Output};
use crate::operate::view::harmless;

/// A column of a table: its name, its width in characters (0 for the last one, which is not padded), and the text of an entry's
/// cell.
pub type Column = (&'static str, usize, fn(&Value) -> String);

/// A list being written. Readers get it once it is complete.
pub enum List {
    /// A JSON array, for programs.
    Json(JsonArray<Output>),
    /// A table, for people.
    Table {
        /// The output written to.
        output: Output,
        /// The columns.
        columns: &'static [Column],
        /// Whether the header line has been written.
        has_head: bool,
    },
}

impl List {
    /// Starts a list.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn begin(json: bool, columns: &'static [Column]) -> Result<Self, ExportError> {
        let output = Output::open(None)?;
        Ok(if json {
            Self::Json(JsonArray::new(output))
        } else {
            Self::Table {
                output,
                columns,
                has_head: false,
            }
        })
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn add(&mut self, entry: &Value) -> Result<(), ExportError> {
        match self {
            Self::Json(json) => json.write(entry)?,
            Self::Table {
                output,
                columns,
                has_head,
            } => {
                if !std::mem::replace(has_head, true) {
                    let names = columns.iter().map(|&(name, width, _)| (name.to_owned(), width));
                    output.write_all(line(names).as_bytes())?;
                }
                let cells = columns.iter().map(|&(_, width, shown)| (shown(entry), width));
                output.write_all(line(cells).as_bytes())?;
            }
        }
        Ok(())
    }

    /// Completes the list.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn finish(self) -> Result<(), ExportError> {
        let output = match self {
            Self::Json(json) => json.finish()?,
            Self::Table { output, .. } => output,
        };
        output.keep()
    }
}

fn line(cells: impl Iterator<Item = (String, usize)>) -> String {
    let cells: Vec<_> = cells.map(|(text, width)| format!("{text:<width$}")).collect();
    format!("{}\n", cells.join("  ").trim_end())
}

/// The value of a key as text that is safe to print on a terminal; empty if null or missing.
pub fn text(object: &Value, key: &str) -> String {
    match object.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => harmless(text),
        Some(value) => value.to_string(),
    }
}

/// The time of a key as local time in Hamburg; empty if null or missing.
pub fn time(object: &Value, key: &str) -> String {
    let text = text(object, key);
    let time: Result<Timestamp, _> = text.parse();
    time.map_or(text, in_berlin)
}

/// Whether the value of a key is `true`.
pub fn is(object: &Value, key: &str) -> bool {
    object.get(key) == Some(&Value::Bool(true))
}

/// A text, or a dash if it is empty.
pub fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Prints to standard output. It is not an error if the reader has gone.
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

/// Prints an object as JSON.
///
/// # Errors
/// As for [`print`].
pub fn print_json(object: &Value) -> Result<(), CliError> {
    print(&format!("{object:#}\n"))
}

/// Reports what was done. Errors are ignored, since it is done even if standard output is closed.
pub fn say(text: impl AsRef<str>) {
    let _ = io::stdout().write_all(text.as_ref().as_bytes());
}

/// A count with its noun in the singular or plural.
pub fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// A count of inquiries.
pub fn inquiries(count: u64) -> String {
    counted(count, "inquiry", "inquiries")
}
