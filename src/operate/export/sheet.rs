//! The cells of a workbook: the columns of the export with German names and labels, and a pair of columns for each firm that may
//! accept.

use std::borrow::Cow;

use serde_json::Value;

use crate::domain::inquiry::{EXPORT_COLUMNS, LIST_SEPARATOR, labels};
use crate::domain::referral::State;

/// The names and widths of the columns, in characters.
pub const COLUMNS: [(&str, f64); 19] = [
    ("Kennung", 38.0),
    ("Erstellt", 17.0),
    ("Postleitzahl", 12.0),
    ("Gebäude", 16.0),
    ("Probleme", 36.0),
    ("Stellen", 30.0),
    ("Vorname", 18.0),
    ("Nachname", 18.0),
    ("E-Mail-Adresse", 32.0),
    ("Telefonnummer", 22.0),
    ("Stand", 16.0),
    ("Angenommen von", 24.0),
    ("Ergänzung", 40.0),
    ("Betrieb 1", 26.0),
    ("Zusage 1", 17.0),
    ("Betrieb 2", 26.0),
    ("Zusage 2", 17.0),
    ("Betrieb 3", 26.0),
    ("Zusage 3", 17.0),
];

/// The zero-based indices of the columns with times.
pub const TIMES: [u16; 4] = [1, 14, 16, 18];

/// The maximum number of firms that accept an inquiry.
const FIRMS: usize = 3;

/// The cells of an inquiry, in the order of [`COLUMNS`].
pub fn cells(row: &Value) -> Vec<Cow<'_, str>> {
    let columns = EXPORT_COLUMNS.iter().take(COLUMNS.len() - 2 * FIRMS);
    let mut cells: Vec<Cow<'_, str>> = columns
        .map(|&column| match (column, cell(row, column)) {
            ("property_type" | "types_of_problems" | "problem_locations", ids) => labels(ids).into(),
            ("state", id) => state(id).into(),
            (_, text) => text.into(),
        })
        .collect();
    let list = |column| cell(row, column).split(LIST_SEPARATOR).chain([""; FIRMS]);
    for (name, at) in list("accepted_names").zip(list("accepted_at")).take(FIRMS) {
        cells.extend([name.into(), at.into()]);
    }
    cells
}

/// The German name of a state.
fn state(id: &str) -> &str {
    let state = State::ALL.iter().find(|state| state.id() == id);
    match state {
        Some(State::Suspected) => "verdächtig",
        Some(State::Received) => "eingegangen",
        Some(State::Asked) => "angefragt",
        Some(State::Accepted) => "angenommen",
        Some(State::Unmatched) => "ohne Betrieb",
        Some(State::Withdrawn) => "zurückgezogen",
        Some(State::Erased) => "gelöscht",
        None => id,
    }
}

/// The text of a cell; empty if the entry has none.
pub fn cell<'a>(entry: &'a Value, column: &str) -> &'a str {
    entry.get(column).and_then(Value::as_str).unwrap_or_default()
}
