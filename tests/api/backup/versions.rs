//! Stores and backups from before the first release are refused with one line and left unchanged.

use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;

use super::{check, restore};
use crate::harness::{Dir, Setup, run};

/// A backup that was a redb file, and a store in the last format before the current one (`tests/fixtures/README.md`).
const BACKUP: &[u8] = include_bytes!("../../fixtures/format-1.backup");
const FILE: &[u8] = include_bytes!("../../fixtures/schema-6.redb.gz");

#[test]
fn a_backup_from_before_the_first_release_is_refused() {
    let dir = Dir::new();
    dir.write("the.backup", BACKUP);
    for finished in [check(&dir, &["the.backup"]), restore(&dir, &[])] {
        finished.fails_with("before the first release");
    }
}

#[test]
fn a_file_from_before_the_first_release_is_refused() {
    let dir = Dir::new();
    let mut file = Vec::new();
    GzDecoder::new(FILE).read_to_end(&mut file).unwrap();
    fs::create_dir(dir.data()).unwrap();
    let data = dir.data();
    fs::write(data.join("inquiries.redb"), &file).unwrap();
    let listed = run(dir.path(), &["inquiries", "--data-dir", data.to_str().unwrap()]);
    let started = Setup::new()
        .dir(&dir)
        .args(&["--data-dir", data.to_str().unwrap()])
        .fail();
    for line in [listed.failure(), started.failure()] {
        assert!(line.contains("before the first release"), "{line}");
    }
    assert_eq!(fs::read_dir(data).unwrap().count(), 1);
}
