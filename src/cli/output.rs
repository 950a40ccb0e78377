//! Standard output of commands: lines, JSON, and lists.

use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::Value;

use super::CliError;
use crate::base::text::berlin::in_berlin;
use crate::base::text::counted;
use crate::operate::CallError;
pub use crate::operate::export::Column;
use crate::operate::export::{List, ListFormat, Output};
use crate::operate::view::harmless;

/// Starts a list on standard output: a JSON array, or a table with these columns.
///
/// # Errors
/// When standard output cannot be written.
pub fn list(json: bool, columns: &'static [Column]) -> Result<List, CallError> {
    let format = if json {
        ListFormat::Json
    } else {
        ListFormat::Table(columns)
    };
    List::new(Output::open(None)?, format)
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

/// One of two words: whether the value of a key is `true`.
pub fn either(object: &Value, key: &str, yes: &str, no: &str) -> String {
    if is(object, key) { yes } else { no }.to_owned()
}

/// A text, or a dash if it is empty.
pub fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Prints to standard output. It is not an error if the reader is gone.
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

/// Reports what was done. Ignores errors, since the work is done even if standard output is closed.
pub fn say(text: impl AsRef<str>) {
    let _ = io::stdout().write_all(text.as_ref().as_bytes());
}

/// A count of inquiries.
pub fn inquiries(count: u64) -> String {
    counted(count, "inquiry", "inquiries")
}

/// A line for each table, with its number of records.
pub fn table_counts(counts: &[(String, u64)]) -> String {
    let lines = counts
        .iter()
        .map(|(name, count)| format!("{name:<20} {count:>10}\n"));
    lines.collect()
}
