//! Property: reading any export format back yields the stored inquiries. CSV cells are unescaped as `help export` describes.

use std::path::Path;

use calamine::{DataType, Reader, Xlsx, open_workbook};
use proptest::prelude::*;
use serde_json::Value;
use tokio::runtime::Runtime;

use taubenabwehr::config::args::ExportFormat;
use taubenabwehr::control::Caller;
use taubenabwehr::domain::inquiry::{self, Choice, EXPORT_COLUMNS, Inquiry, Problem};
use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::operate::export::{Suspected, export};
use taubenabwehr::store::{Location, Store, TimeRange};

use crate::harness::{self as fuzz, record};

type Cells = [String; EXPORT_COLUMNS.len()];

/// Columns of a workbook with unmodified text: id, postal code, names, mail address, telephone number. The others are times and
/// German labels.
const TEXTS: [usize; 6] = [0, 2, 6, 7, 8, 9];

/// The column of a workbook with the time of creation.
const TIME: usize = 1;

const MAX_INQUIRIES: usize = 40;

#[test]
fn formats() {
    let runtime = Runtime::new().unwrap();
    let inquiries = prop::collection::vec(record::valid(), 0..=MAX_INQUIRIES);
    fuzz::values("export", 10, &inquiries, |inquiries| {
        // In memory if possible: the test does not need a real disk.
        let dir = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        let store = Store::open(dir.path()).unwrap();
        let stored: Vec<Cells> = inquiries
            .into_iter()
            .map(|inquiry| {
                cells(
                    &runtime
                        .block_on(store.insert(inquiry, NewReferral::default(), None))
                        .unwrap()
                        .into_inquiry(),
                )
            })
            .collect();
        drop(store);
        let path = dir.path().join("out");
        let written = |format| {
            let caller = Caller::new(&Location::Directory(dir.path().to_owned())).unwrap();
            let inquiries = caller.records(TimeRange::default()).unwrap();
            export(inquiries, Vec::new(), Suspected::Included, format, Some(&path)).unwrap();
            path.as_path()
        };
        assert_eq!(read_csv(written(ExportFormat::Csv)), stored);
        assert_eq!(read_json(written(ExportFormat::Json)), stored);
        assert_eq!(read_lines(written(ExportFormat::Jsonl)), stored);
        let texts: Vec<_> = stored
            .iter()
            .map(|cells| TEXTS.map(|column| cells[column].clone()))
            .collect();
        assert_eq!(read_workbook(written(ExportFormat::Xlsx)), texts);
    });
}

/// The cells of an inquiry as documented for exports.
fn cells(inquiry: &Inquiry) -> Cells {
    let answers = &inquiry.answers;
    [
        inquiry.id.to_string(),
        inquiry.created_at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
        answers.postal_code.number().to_string(),
        answers.property_type.id().to_owned(),
        Problem::join(&answers.types_of_problems),
        inquiry::Location::join(&answers.problem_locations),
        answers.first_name.as_str().to_owned(),
        answers.last_name.as_str().to_owned(),
        answers.email_address.as_str().to_owned(),
        answers.phone_number.as_str().to_owned(),
        if inquiry.suspected {
            "suspected"
        } else {
            "received"
        }
        .to_owned(),
        // No firm has accepted, and the optional columns are empty.
        String::new(),
        String::new(),
        String::new(),
        String::new(),
    ]
}

fn read_csv(path: &Path) -> Vec<Cells> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    assert_eq!(reader.headers().unwrap(), &EXPORT_COLUMNS[..]);
    let phone = EXPORT_COLUMNS
        .iter()
        .position(|column| *column == "phone_number")
        .unwrap();
    let records = reader.records().map(|record| {
        let record = record.unwrap();
        let cells = record.iter().enumerate();
        row(cells.map(|(column, cell)| if column == phone { cell } else { unescaped(cell) }))
    });
    records.collect()
}

/// Removes the apostrophe that keeps a spreadsheet from running a cell as a formula.
fn unescaped(cell: &str) -> &str {
    let starts_formula = |c| matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '＝' | '＋' | '－' | '＠');
    assert!(
        !cell.starts_with(starts_formula),
        "a spreadsheet would run {cell:?}"
    );
    let is_escaped = cell.trim_start_matches('\'').starts_with(starts_formula);
    cell.strip_prefix('\'').filter(|_| is_escaped).unwrap_or(cell)
}

fn read_json(path: &Path) -> Vec<Cells> {
    let list: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    list.iter().map(object).collect()
}

fn read_lines(path: &Path) -> Vec<Cells> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.split_terminator('\n');
    lines
        .map(|line| object(&serde_json::from_str(line).unwrap()))
        .collect()
}

fn object(value: &Value) -> Cells {
    assert_eq!(value.as_object().unwrap().len(), EXPORT_COLUMNS.len());
    EXPORT_COLUMNS.map(|column| value[column].as_str().unwrap().to_owned())
}

fn read_workbook(path: &Path) -> Vec<[String; TEXTS.len()]> {
    let mut workbook: Xlsx<_> = open_workbook(path).unwrap();
    let sheet = workbook.worksheet_range("Anfragen").unwrap();
    let rows = sheet.rows().skip(1).map(|cells| {
        assert!(cells[TIME].is_datetime(), "{:?}", cells[TIME]);
        // All other cells are text, neither numbers nor formulas.
        let mut others = cells.iter().enumerate().filter(|(column, _)| *column != TIME);
        assert!(
            others.all(|(_, cell)| cell.is_string() || cell.is_empty()),
            "{cells:?}"
        );
        TEXTS.map(|column| cells[column].to_string())
    });
    rows.collect()
}

fn row<T: Into<String>>(cells: impl Iterator<Item = T>) -> Cells {
    let cells: Vec<String> = cells.map(Into::into).collect();
    cells.try_into().unwrap()
}
