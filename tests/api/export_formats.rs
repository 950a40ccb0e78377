//! The output of `export` in each format (`docs/behaviour.md`, "Export").

use calamine::{Data, Reader, Xlsx, open_workbook};
use serde_json::Value;

use crate::harness::{EXPORT_COLUMNS, Server, record};

/// Names that break a careless format.
const AWKWARD: [&str; 14] = [
    "Müller, Söhne",
    "\"Anführung\"",
    "a;b\\c'd",
    "von  der   Lühe",
    "🕊 taube",
    "<b>&amp;_x0041_</b>",
    "'=1",
    "＝1+1",
    "\u{fffe}\u{ffff}",
    "line\u{2028}separator",
    "=HYPERLINK(\"https://evil.example\")",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
];

/// A server with awkward inquiries, and their rows in exports: no firm was asked yet.
fn filled() -> (Server, Vec<Value>) {
    let server = Server::start();
    let rows = AWKWARD.iter().map(|name| {
        let mut row = server.store(&record(name));
        row["state"] = "received".into();
        for outcome in ["accepted_by", "addition", "accepted_names", "accepted_at"] {
            row[outcome] = "".into();
        }
        row
    });
    let rows = rows.collect();
    (server, rows)
}

fn texts(row: &Value) -> Vec<String> {
    EXPORT_COLUMNS
        .iter()
        .map(|column| row[column].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn csv_is_the_default_and_follows_rfc_4180() {
    let (server, _) = filled();
    let export = server.export(&[]);
    let text = export.success();
    assert!(
        text.starts_with(&format!("{}\r\n", EXPORT_COLUMNS.join(","))),
        "{text}"
    );
    assert!(text.ends_with("\r\n"));
    assert_eq!(text.matches('\n').count(), AWKWARD.len() + 1);
    assert_eq!(
        text.matches("\r\n").count(),
        text.matches('\n').count(),
        "a line ends without CR"
    );
    assert!(!text.contains('\u{feff}'));
    assert_eq!(server.export(&["--format", "csv"]).success(), text);
}

#[test]
fn json_is_one_array_of_objects() {
    let (server, rows) = filled();
    let export = server.export(&["--format", "json"]);
    let parsed: Vec<Value> = export.json();
    assert_eq!(parsed, rows);
    for row in parsed {
        assert_eq!(row.as_object().unwrap().len(), EXPORT_COLUMNS.len());
    }
}

#[test]
fn keys_of_json_stand_in_the_order_of_the_columns() {
    let (server, _) = filled();
    for format in ["json", "jsonl"] {
        let export = server.export(&["--format", format]);
        let text = export.success();
        let first = &text[..text.find('}').unwrap()];
        let places: Vec<_> = EXPORT_COLUMNS
            .iter()
            .map(|column| first.find(&format!("\"{column}\"")).unwrap())
            .collect();
        assert!(places.is_sorted(), "{format}: {first}");
    }
}

#[test]
fn jsonl_is_one_object_a_line() {
    let (server, rows) = filled();
    let export = server.export(&["--format", "jsonl"]);
    let text = export.success();
    assert!(text.ends_with('\n'));
    let parsed: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(parsed, rows);
}

#[test]
fn xlsx_holds_text_and_no_formula() {
    let (server, rows) = filled();
    let path = server.dir().path().join("inquiries.xlsx");
    assert_eq!(
        server
            .export(&["--format", "xlsx", "--output", path.to_str().unwrap()])
            .success(),
        ""
    );
    let mut workbook: Xlsx<_> = open_workbook(&path).unwrap();
    let name = workbook.sheet_names().first().unwrap().clone();
    assert!(
        workbook
            .worksheet_formula(&name)
            .unwrap()
            .used_cells()
            .next()
            .is_none(),
        "there is a formula"
    );
    let sheet = workbook.worksheet_range(&name).unwrap();
    let mut lines = sheet.rows();
    let header: Vec<String> = lines.next().unwrap().iter().map(ToString::to_string).collect();
    let [first, .., last] = header.as_slice() else {
        panic!("{header:?}");
    };
    assert_eq!((first.as_str(), last.as_str()), ("Kennung", "Provision 3"));
    let lines: Vec<&[Data]> = lines.collect();
    assert_eq!(lines.len(), rows.len());
    let german = [
        ("property_type", "Wohngebäude"),
        ("types_of_problems", "Nisten, Verschmutzung durch Kot"),
        ("problem_locations", "Balkon, Dach"),
        ("state", "eingegangen"),
    ];
    for (line, row) in lines.iter().zip(&rows) {
        for (cell, (column, expected)) in line.iter().zip(EXPORT_COLUMNS.iter().zip(texts(row))) {
            if *column == "created_at" {
                let expected: jiff::Timestamp = expected.parse().unwrap();
                let berlin = expected.to_zoned(jiff::tz::get!("Europe/Berlin"));
                // Days since the epoch of Excel.
                let zero = jiff::civil::date(1899, 12, 30).at(0, 0, 0, 0);
                let passed = berlin.datetime().duration_since(zero).as_secs_f64() / 86_400.0;
                let Data::DateTime(found) = cell else {
                    panic!("{cell:?}");
                };
                assert!(
                    (found.as_f64() - passed).abs() < 2.0 / 86_400.0,
                    "{found:?} {passed}"
                );
                continue;
            }
            let label = german.iter().find(|(name, _)| name == column);
            let expected = label.map_or(expected, |(_, label)| (*label).to_owned());
            // The reader returns an empty string as an empty cell.
            let expected = if expected.is_empty() {
                Data::Empty
            } else {
                Data::String(expected)
            };
            assert_eq!(cell, &expected, "{column}");
        }
    }
}

#[test]
fn xlsx_on_standard_output_is_the_same_workbook() {
    let (server, _) = filled();
    let export = server.export(&["--format", "xlsx"]);
    assert_eq!((export.code, export.stderr.as_str()), (Some(0), ""));
    assert!(export.stdout.starts_with(b"PK\x03\x04"));
}

#[test]
fn an_empty_store_gives_an_empty_export() {
    let server = Server::start();
    assert_eq!(
        server.export(&[]).success(),
        format!("{}\r\n", EXPORT_COLUMNS.join(","))
    );
    assert_eq!(server.export(&["--format", "jsonl"]).success(), "");
    assert!(server.stored().is_empty());
    let path = server.dir().path().join("empty.xlsx");
    server
        .export(&["--format", "xlsx", "--output", path.to_str().unwrap()])
        .success();
    let mut workbook: Xlsx<_> = open_workbook(&path).unwrap();
    let sheets = workbook.worksheets();
    assert_eq!(sheets[0].1.rows().count(), 1);
}

#[test]
fn the_export_is_the_same_with_and_without_a_server() {
    let (server, _) = filled();
    let dir = server.dir().clone();
    let formats = ["csv", "json", "jsonl"];
    let export = |format| {
        crate::harness::server::export(&dir, &["--format", format])
            .success()
            .to_owned()
    };
    let running = formats.map(export);
    assert_eq!(server.terminate().code, Some(0));
    assert_eq!(formats.map(export), running);
}
