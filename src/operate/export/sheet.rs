//! What stands in a workbook: the columns of the export, with German names and labels, and a pair of columns for each firm that may have
//! accepted.

use std::borrow::Cow;

use rust_xlsxwriter::ExcelDateTime;

use crate::base::text::berlin;
use crate::domain::inquiry::{ExportRow, LIST_SEPARATOR, labels, parse_rfc3339};
use crate::domain::referral::State;

/// The names of the columns, and how wide they are, in characters.
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

/// How many firms may accept an inquiry.
const FIRMS: usize = 3;

/// What stands in a cell.
pub enum SheetCell<'a> {
    /// A text, whatever it looks like.
    Text(Cow<'a, str>),
    /// A time by a clock in Hamburg.
    Time(ExcelDateTime),
}

/// Returns the cells of an inquiry, in the order of [`COLUMNS`].
pub fn cells<'a>(row: &'a ExportRow<'_>) -> Vec<SheetCell<'a>> {
    let inquiry = &row.inquiry;
    let named = |ids: &str| SheetCell::Text(labels(ids).into());
    let mut cells = vec![
        text(&inquiry.id),
        time(&inquiry.created_at),
        text(&inquiry.postal_code),
        named(&inquiry.property_type),
        named(&inquiry.types_of_problems),
        named(&inquiry.problem_locations),
        text(&inquiry.first_name),
        text(&inquiry.last_name),
        text(&inquiry.email_address),
        text(&inquiry.phone_number),
        text(state(&row.state)),
        text(&row.accepted_by),
        text(&row.addition),
    ];
    let list = |text: &'a str| text.split(LIST_SEPARATOR).chain([""; FIRMS]);
    for (name, at) in list(&row.accepted_names).zip(list(&row.accepted_at)).take(FIRMS) {
        cells.extend([text(name), time(at)]);
    }
    cells
}

/// Returns the German name of a state.
pub fn state(id: &str) -> &str {
    let state = State::ALL.into_iter().find(|state| state.id() == id);
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

fn text(text: &str) -> SheetCell<'_> {
    SheetCell::Text(text.into())
}

/// Returns a time; the text itself where it is none.
fn time(text: &str) -> SheetCell<'_> {
    let local = parse_rfc3339(text).map(|time| time.to_zoned(berlin::zone()).datetime());
    let excel = local.and_then(|time| {
        let year = u16::try_from(time.year()).ok()?;
        let number = |number: i8| u8::try_from(number).ok();
        let day = ExcelDateTime::from_ymd(year, number(time.month())?, number(time.day())?).ok()?;
        let seconds = number(time.second())?;
        day.and_hms(u16::from(number(time.hour())?), number(time.minute())?, seconds)
            .ok()
    });
    excel.map_or(SheetCell::Text(text.into()), SheetCell::Time)
}
