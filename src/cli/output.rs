//! What commands print to standard output: lines, JSON, and lists, which are a table with aligned columns, or one JSON array with an
//! object on each line. A list need not know how long it gets.

use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::Value;

use super::CliError;
use crate::base::text::berlin::in_berlin;
use crate::operate::export::{ExportError, JsonArray, Output};
use crate::operate::view::harmless;

/// A column of a table: its name; its width in characters, or 0 for the last, which is as wide as it needs; and what it shows of an
/// entry.
pub type Column = (&'static str, usize, fn(&Value) -> String);

/// A list that is being written. Its reader gets it when it is complete.
pub enum List {
    /// For programs.
    Json(JsonArray<Output>),
    /// For people.
    Table {
        /// Where it goes.
        output: Output,
        /// What it shows of each entry.
        columns: &'static [Column],
        /// Whether the names of the columns are written.
        has_head: bool,
    },
}

impl List {
    /// Begins a list.
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
    /// When it cannot be written.
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
    /// When it cannot be written.
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

/// Returns what an object has under a key, for people; nothing where it is null.
pub fn text(object: &Value, key: &str) -> String {
    match object.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => harmless(text),
        Some(value) => value.to_string(),
    }
}

/// Returns the time that an object has under a key, for people in Hamburg; nothing where it is null.
pub fn time(object: &Value, key: &str) -> String {
    let text = text(object, key);
    let time: Result<Timestamp, _> = text.parse();
    time.map_or(text, in_berlin)
}

/// Whether an object says yes under a key.
pub fn is(object: &Value, key: &str) -> bool {
    object.get(key) == Some(&Value::Bool(true))
}

/// Returns a text, or a dash if it is empty.
pub fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
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
pub fn print_json(object: &Value) -> Result<(), CliError> {
    print(&format!("{object:#}\n"))
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
