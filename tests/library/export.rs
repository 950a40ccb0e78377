//! Tests of whole exports, read back by other programs' libraries.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use calamine::{Data, Reader, Xlsx, open_workbook};
use serde_json::Value;
use tokio::runtime::Runtime;

use taubenabwehr::config::args::{ExportFormat, parse_bound};
use taubenabwehr::control::{self, Listener};
use taubenabwehr::domain::inquiry::{EXPORT_COLUMNS, NewInquiry};
use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::operate::export::*;
use taubenabwehr::store::{Location, Selection, Store, Suspected, TimeRange};

use crate::place::Place;
use crate::postgres::left_out_on_postgres;

const FORMATS: [ExportFormat; 4] = [
    ExportFormat::Csv,
    ExportFormat::Json,
    ExportFormat::Jsonl,
    ExportFormat::Xlsx,
];

/// Names as people and attackers enter them.
const NAMES: [&str; 9] = [
    "Anna",
    "=HYPERLINK(\"http://x\";\"y\")",
    "'=1",
    "Müller, \"Jo\"",
    "＝1+1",
    "<b>&amp;_x0041_",
    "\u{fffe}\u{ffff}🕊",
    "line\u{2028}separator",
    "-",
];

fn inquiry(name: &str, created_at: &str) -> NewInquiry {
    let body = serde_json::json!({
        "created_at": created_at,
        "postal_code": "20095",
        "property_type": "commercial",
        "types_of_problems": "noise,health",
        "first_name": name,
        "last_name": "Meier",
        "email_address": "+home@x.de",
        "phone_number": "+49 (40) 123-4567",
    });
    NewInquiry::parse(body.to_string().as_bytes(), created_at.parse().unwrap()).unwrap()
}

/// A place with an inquiry for each name, one a day from the second of November on.
fn data() -> Place {
    let place = Place::new();
    let runtime = Runtime::new().unwrap();
    let store = runtime.block_on(place.open());
    for (day, name) in (2..).zip(NAMES) {
        let inquiry = inquiry(name, &format!("2026-11-{day:02}T11:00:00.5Z"));
        runtime
            .block_on(store.insert(inquiry, NewReferral::default(), None))
            .unwrap();
    }
    place
}

/// Exports all to a file; its path.
fn export_all(place: &Place, format: ExportFormat) -> PathBuf {
    let path = place.path().join("out");
    export(&place.location(), Selection::default(), format, Some(&path)).unwrap();
    path
}

fn guarded(name: &str) -> String {
    let formula = ["=HYPERLINK(\"http://x\";\"y\")", "'=1", "＝1+1", "-"].contains(&name);
    if formula {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}

#[test]
fn csv_is_read_back() {
    let place = data();
    let path = export_all(&place, ExportFormat::Csv);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&(EXPORT_COLUMNS.join(",") + "\r\n")));
    assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), NAMES.len());
    for (record, (day, name)) in records.iter().zip((2..).zip(NAMES)) {
        assert_eq!(record[6], guarded(name));
        assert_eq!(record[1], format!("2026-11-{day:02}T11:00:00.500Z"));
        assert_eq!(&record[2], "20095");
        assert_eq!(&record[4], "noise,health");
        assert_eq!(&record[5], "");
        assert_eq!(&record[8], "'+home@x.de");
        assert_eq!(&record[9], "+49 (40) 123-4567");
    }
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn json_and_json_lines_are_read_back() {
    let place = data();
    let json = fs::read_to_string(export_all(&place, ExportFormat::Json)).unwrap();
    let lines = fs::read_to_string(export_all(&place, ExportFormat::Jsonl)).unwrap();
    let json: Vec<Value> = serde_json::from_str(&json).unwrap();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(json, lines);
    let names: Vec<&str> = json
        .iter()
        .map(|inquiry| inquiry["first_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, NAMES);
    assert!(
        json.iter()
            .all(|inquiry| inquiry.as_object().unwrap().len() == EXPORT_COLUMNS.len())
    );
}

fn sheet(path: &Path, name: &str) -> Vec<Vec<Data>> {
    let mut workbook: Xlsx<_> = open_workbook(path).unwrap();
    let range = workbook.worksheet_range(name).unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

#[test]
fn a_workbook_is_read_back() {
    let place = data();
    let rows = sheet(&export_all(&place, ExportFormat::Xlsx), "Anfragen");
    assert_eq!(rows.len(), 1 + NAMES.len());
    assert_eq!(rows[0][0], Data::String("Kennung".to_owned()));
    assert_eq!(rows[0].len(), 19);
    for (row, name) in rows[1..].iter().zip(NAMES) {
        // What XML cannot hold is in Excel's own escape, which the reader undoes.
        let found = row[6].to_string();
        assert_eq!(found, name);
        assert_eq!(row[2], Data::String("20095".to_owned()));
        assert_eq!(row[9], Data::String("+49 (40) 123-4567".to_owned()));
        assert!(matches!(&row[1], Data::DateTime(time) if (time.as_f64().fract() - 0.5).abs() < 1e-5));
    }
}

#[test]
fn nothing_to_export_is_an_empty_export() {
    let place = Place::new();
    drop(Runtime::new().unwrap().block_on(place.open()));
    let text = |format| fs::read_to_string(export_all(&place, format)).unwrap();
    assert_eq!(text(ExportFormat::Csv), EXPORT_COLUMNS.join(",") + "\r\n");
    assert_eq!(text(ExportFormat::Json), "[]\n");
    assert_eq!(text(ExportFormat::Jsonl), "");
    assert_eq!(
        sheet(&export_all(&place, ExportFormat::Xlsx), "Anfragen").len(),
        1
    );
}

#[test]
fn a_server_gives_the_same_as_the_file() {
    if left_out_on_postgres("the control socket of a data directory") {
        return;
    }
    let place = data();
    let selection = Selection {
        range: TimeRange {
            since: Some(parse_bound("2026-11-03").unwrap()),
            until: Some(parse_bound("2026-11-09T11:00:00.5Z").unwrap()),
        },
        suspected: Suspected::LeftOut,
    };
    let path = place.path().join("out");
    let read = |format| {
        export(&place.location(), selection, format, Some(&path)).unwrap();
        fs::read(&path).unwrap()
    };
    let texts = &FORMATS[..3];
    let by_file: Vec<_> = texts.iter().map(|&format| read(format)).collect();
    let store = Arc::new(Store::open(place.path()).unwrap());
    let runtime = Runtime::new().unwrap();
    let listener = runtime.block_on(async { Listener::bind(place.path()).unwrap() });
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = runtime.spawn(control::serve(listener, store, async { drop(stopped.await) }));
    let by_server: Vec<_> = texts.iter().map(|&format| read(format)).collect();
    assert!(by_file == by_server);
    assert_eq!(String::from_utf8_lossy(&by_file[2]).lines().count(), 6);
    drop(stop);
    runtime.block_on(server).unwrap();
}

#[test]
fn a_failed_export_leaves_the_old_file_and_nothing_else() {
    let place = data();
    let target = tempfile::tempdir().unwrap();
    let path = target.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    let missing = place.path().join("missing");
    for format in FORMATS {
        let error = export(
            &Location::Directory(missing.clone()),
            Selection::default(),
            format,
            Some(&path),
        )
        .unwrap_err()
        .to_string();
        assert!(
            error.contains("missing does not exist; check --data-dir (TAUBENABWEHR_DATA_DIR)"),
            "{error}"
        );
    }
    assert!(!missing.exists());
    place.damage();
    for format in FORMATS {
        assert!(export(&place.location(), Selection::default(), format, Some(&path)).is_err());
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(target.path()).unwrap().count(), 1);
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let place = data();
    let error = |to: &Path| {
        let error = export(
            &place.location(),
            Selection::default(),
            ExportFormat::Csv,
            Some(to),
        )
        .unwrap_err();
        error.to_string().replace(place.path().to_str().unwrap(), "DIR")
    };
    assert_eq!(
        error(place.path()),
        "DIR is a directory; name a file in it as --output"
    );
    assert_eq!(
        error(&place.path().join("no/out.csv")),
        "cannot write DIR/no/out.csv: No such file or directory (os error 2); \
         make room there, or choose another --output"
    );
    for format in FORMATS {
        let full = export(
            &place.location(),
            Selection::default(),
            format,
            Some(Path::new("/dev/full")),
        );
        let full = full.unwrap_err().to_string();
        assert!(
            full.starts_with("cannot write /dev/full: ") && !full.contains('\n'),
            "{full}"
        );
        export(
            &place.location(),
            Selection::default(),
            format,
            Some(Path::new("/dev/null")),
        )
        .unwrap();
    }
}

#[test]
fn a_link_stays_and_what_it_points_to_is_replaced() {
    let place = data();
    let (real, link) = (place.path().join("real"), place.path().join("link"));
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    export(
        &place.location(),
        Selection::default(),
        ExportFormat::Csv,
        Some(&link),
    )
    .unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().starts_with("id,"));
}

#[test]
fn a_file_that_nobody_lets_go_of_is_an_error_after_some_time() {
    if left_out_on_postgres("a data directory") {
        return;
    }
    let place = Place::new();
    let store = Store::open(place.path()).unwrap();
    let started = Instant::now();
    let error = export(&place.location(), Selection::default(), ExportFormat::Csv, None).unwrap_err();
    assert!(started.elapsed() >= Duration::from_secs(5));
    assert!(
        error.to_string().contains("is in use by another process"),
        "{error}"
    );
    drop(store);
}
