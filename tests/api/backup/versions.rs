//! A backup of the first version, which was a file of redb, is still read, on every engine (`tests/fixtures/README.md`).

use serde_json::Value;

use super::{at_new, check, restore, serve};
use crate::harness::Dir;

const FIRST: &[u8] = include_bytes!("../../fixtures/format-1.backup");

/// The first inquiry of the fixture.
const KEPT: &str = "01a20d41-e23e-705b-82ab-16550b89e06a";

/// The page of a visitor, whose token follows from the secret in the backup.
const PAGE: &str = "/anfrage/AaINQeI-cFuCqxZVC4ngal6Uw5cTUGvB-acAHKE22ko";

fn exported(dir: &Dir) -> Vec<Value> {
    serde_json::from_str(at_new(dir, &["export", "--format", "json"]).success()).unwrap()
}

#[test]
fn a_backup_of_the_first_version_is_checked_and_restored() {
    let dir = Dir::new();
    dir.write("the.backup", FIRST);
    let checked = check(&dir, &["the.backup"]);
    let text = checked.success();
    assert!(text.starts_with("a backup of 2026-11-24T12:12:34"), "{text}");
    assert!(text.contains("inquiries                     4\n"), "{text}");
    assert!(text.ends_with("every record can be read\n"), "{text}");

    let restored = restore(&dir, &[]);
    let text = restored.success();
    assert!(text.starts_with("4 inquiries restored to "), "{text}");
    assert!(text.contains(", as of 2026-11-24T12:12:34"), "{text}");
    assert!(text.contains("14 deliveries are held until"), "{text}");
    let names: Vec<Value> = exported(&dir)
        .iter()
        .map(|inquiry| inquiry["last_name"].clone())
        .collect();
    assert_eq!(names, ["Meier 2", "Meier 3", "Meier 4", "Meier 5"]);
    let server = serve(&dir, &[]);
    assert_eq!(server.get(PAGE).status, 200);
}

#[test]
fn what_was_erased_since_is_erased_again_from_a_backup_of_the_first_version() {
    let dir = Dir::new();
    dir.write("the.backup", FIRST);
    let line = format!("{{\"id\":\"{KEPT}\",\"erased_at\":\"2026-11-24T11:30:00.000Z\"}}\n");
    dir.write("list.jsonl", line);
    let restored = restore(&dir, &["--erased", "list.jsonl"]);
    let text = restored.success();
    assert!(text.starts_with("3 inquiries restored to "), "{text}");
    assert!(text.contains("1 of the list erased again"), "{text}");
    assert!(exported(&dir).iter().all(|inquiry| inquiry["id"] != KEPT));
}

#[test]
fn a_changed_byte_of_a_backup_of_the_first_version_is_noticed() {
    let dir = Dir::new();
    for at in (0..FIRST.len()).step_by(97) {
        let mut changed = FIRST.to_vec();
        changed[at] ^= 1;
        let path = dir.write("the.backup", changed);
        assert!(
            taubenabwehr::store::Backup::read(path.as_ref()).is_err(),
            "byte {at}"
        );
    }
}
