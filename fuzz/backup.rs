//! Fuzz targets: files for `restore` and `check`, as any bytes, as any content whose checksum is right, and as a whole backup with
//! some bytes of its file of inquiries changed. None makes the program panic, and none that is restored is half there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};
use taubenabwehr::inquiry::NewInquiry;
use taubenabwehr::referral::NewReferral;
use taubenabwehr::store::{Backup, IdempotencyKey, Store, restore};
use tempfile::TempDir;

use crate::harness::{self as fuzz, record};

/// What every backup of version 1 starts with.
const HEAD: &[u8] = b"taubenabwehr backup\n\x01\0\0\0";

/// Bytes of the checksum at the end of a backup.
const DIGEST: usize = 32;

/// Bytes of one edit: where, in three bytes, and what stands there instead.
const EDIT: usize = 4;

const TOKENS: &[&str] = &[
    "taubenabwehr backup\n",
    "\u{1}\0\0\0",
    "\u{2}\0\0\0",
    "redb\u{1a}\n",
    "(\u{35}/",
    "\0\0\0\0\0\0\0\0",
    "inquiries",
];

#[test]
fn bytes() {
    fuzz::bytes("backup", 300, TOKENS, check);
}

#[test]
fn edits() {
    fuzz::bytes("backup-edits", 60, TOKENS, check_edits);
}

/// Reads some bytes as a backup, and again as the content of one whose checksum is right.
pub fn check(bytes: &[u8]) {
    check_file(bytes);
    check_file(&sealed(bytes));
}

/// Reads a whole backup after the edits that some bytes name.
pub fn check_edits(bytes: &[u8]) {
    let mut image = IMAGE.clone();
    for edit in bytes.chunks_exact(EDIT) {
        let at = u32::from_be_bytes([0, edit[0], edit[1], edit[2]]) as usize % image.len();
        image[at] = edit[3];
    }
    // As it is: compressing it takes longer than reading it.
    let restored = check_file(&sealed(&zstd::encode_all(&image[..], -7).unwrap()));
    assert!(restored.is_some() || image != *IMAGE, "a whole backup is refused");
}

/// Reads a file as a backup, and restores it if it is whole. Returns how many inquiries that gave.
fn check_file(bytes: &[u8]) -> Option<u64> {
    let directory = directory();
    let path = directory.path().join("backup");
    fs::write(&path, bytes).unwrap();
    let one_line = |error: &dyn std::fmt::Display| {
        let text = error.to_string();
        assert!(!text.contains(char::is_control), "{text:?}");
    };
    let findings = Backup::read(&path).and_then(|mut backup| {
        let made_at = backup.made_at();
        let findings = backup.check();
        backup.close()?;
        made_at.and(findings)
    });
    let findings = findings.map_err(|error| one_line(&error)).ok()?;
    let target = directory.path().join("data");
    let restored = restore(&path, &target, &BTreeMap::new(), record::now());
    assert!(
        restored.is_err() || findings.count == 0,
        "restored although damaged: {:?}",
        findings.damaged
    );
    let restored = restored.map_err(|error| one_line(&error)).ok()?;
    assert_eq!(restored.inquiries, findings.inquiries());
    Some(restored.inquiries)
}

/// Returns content with the head and the checksum of a backup.
fn sealed(content: &[u8]) -> Vec<u8> {
    let mut bytes = [HEAD, content].concat();
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

/// The file of inquiries in a whole backup.
static IMAGE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let directory = directory();
    let path = directory.path().join("backup");
    write_backup(directory.path(), &path);
    let backup = fs::read(path).unwrap();
    zstd::decode_all(&backup[HEAD.len()..backup.len() - DIGEST]).unwrap()
});

fn write_backup(data_dir: &Path, path: &Path) {
    let body = r#"{"postal_code":"20095","property_type":"residential","types_of_problems":"nesting","problem_locations":"roof",
        "first_name":"Anna","last_name":"Muster","email_address":"anna@example.de","phone_number":"040 1234567"}"#;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Store::open(data_dir).unwrap();
        for key in ["a", "b", "c"] {
            let inquiry = NewInquiry::parse(body.as_bytes(), record::now()).unwrap();
            let key = IdempotencyKey::parse(key.as_bytes());
            store.insert(inquiry, NewReferral::default(), key).await.unwrap();
        }
        assert!(store.subscribe("anna@example.de".to_owned()).await.unwrap());
        let image = store.image().await.unwrap();
        image.pack(fs::File::create(path).unwrap()).unwrap();
    });
}

/// Returns a directory in memory, where there is one: thousands of syncs of a disk would take long.
fn directory() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}
