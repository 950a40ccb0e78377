//! Where exports go, and what they wait for. `tests/api/export_formats.rs` reads each format back.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use taubenabwehr::cli::CliError;
use taubenabwehr::config::args::ExportFormat;
use taubenabwehr::control::Caller;
use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::operate::export::{self, Suspected};
use taubenabwehr::store::{Store, TimeRange};

use crate::inquiries::sample;
use crate::place::Place;
use crate::postgres::left_out_on_postgres;

const FORMATS: [ExportFormat; 4] = [
    ExportFormat::Csv,
    ExportFormat::Json,
    ExportFormat::Jsonl,
    ExportFormat::Xlsx,
];

/// A place with an inquiry.
fn data() -> Place {
    let place = Place::new();
    let runtime = Runtime::new().unwrap();
    let store = runtime.block_on(place.open());
    let stored = store.insert(sample(1), NewReferral::default(), None);
    runtime.block_on(stored).unwrap();
    place
}

/// Exports as the command does.
fn export(place: &Place, format: ExportFormat, to: Option<&Path>) -> Result<u64, CliError> {
    let caller = Caller::new(&place.location())?;
    let inquiries = caller.stream(TimeRange::default())?;
    let exported = export::export(inquiries, Suspected::LeftOut, format, to);
    Ok(caller.wait(exported)?)
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let place = data();
    let error = |to: &Path| {
        let error = export(&place, ExportFormat::Csv, Some(to)).unwrap_err();
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
        let full = export(&place, format, Some(Path::new("/dev/full")));
        let full = full.unwrap_err().to_string();
        assert!(
            full.starts_with("cannot write /dev/full: ") && !full.contains('\n'),
            "{full}"
        );
        export(&place, format, Some(Path::new("/dev/null"))).unwrap();
    }
}

#[test]
fn a_link_stays_and_what_it_points_to_is_replaced() {
    let place = data();
    let (real, link) = (place.path().join("real"), place.path().join("link"));
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    export(&place, ExportFormat::Csv, Some(&link)).unwrap();
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
    let error = export(&place, ExportFormat::Csv, None).unwrap_err();
    assert!(started.elapsed() >= Duration::from_secs(5));
    assert!(
        error.to_string().contains("is in use by another process"),
        "{error}"
    );
    drop(store);
}
