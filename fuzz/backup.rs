//! Fuzz targets: files for `restore` and `check`, as arbitrary bytes, as arbitrary content with a valid checksum, and as a valid
//! backup with some bytes of its rows changed. None may cause a panic or a partial restore.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use taubenabwehr::domain::inquiry::NewInquiry;
use taubenabwehr::domain::referral::NewReferral;
use taubenabwehr::store::{Backup, IdempotencyKey, Location, Store, pack, restore};
use tempfile::TempDir;

use crate::harness::{self as fuzz, record};

/// The magic number at the start of a backup.
const MAGIC: &[u8] = b"taubenabwehr backup\n";

const VERSION: u8 = 5;

/// Length of magic number, version and time, and of the checksum at the end, in bytes.
const HEAD: usize = 32;
const DIGEST: usize = 32;

/// Bytes of one edit: a position in three bytes, and the new byte.
const EDIT: usize = 4;

const TOKENS: &[&str] = &[
    "taubenabwehr backup\n",
    "\u{5}\0\0\0",
    "\u{1f}\u{8b}\u{8}",
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

/// Reads bytes as a backup, and as the content of a backup with a valid checksum.
pub fn check(bytes: &[u8]) {
    check_file(bytes);
    check_file(&sealed(bytes));
}

/// Applies the edits encoded in the bytes to a valid backup, and reads it.
pub fn check_edits(bytes: &[u8]) {
    let stream = edited(&SAMPLE, bytes);
    // Compress at the fastest level, since compressing takes longer than reading.
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&stream).unwrap();
    let packed = packed.finish().unwrap();
    let restored = check_file(&sealed(&packed));
    assert!(
        restored.is_some() || stream != *SAMPLE,
        "a whole backup is refused"
    );
}

fn edited(content: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut edited = content.to_vec();
    for edit in edits.chunks_exact(EDIT) {
        let at = u32::from_be_bytes([0, edit[0], edit[1], edit[2]]) as usize % edited.len();
        edited[at] = edit[3];
    }
    edited
}

/// Reads a file as a backup, and restores it if it is valid. Returns the number of restored inquiries.
fn check_file(bytes: &[u8]) -> Option<u64> {
    let directory = directory();
    let path = directory.path().join("backup");
    fs::write(&path, bytes).unwrap();
    let one_line = |error: &dyn std::fmt::Display| {
        let text = error.to_string();
        assert!(!text.contains(char::is_control), "{text:?}");
    };
    let findings = Backup::read(&path).and_then(|mut backup| backup.check());
    let findings = findings.map_err(|error| one_line(&error)).ok()?;
    let target = Location::Directory(directory.path().join("data"));
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

/// Adds the header and the checksum of a backup to content.
fn sealed(content: &[u8]) -> Vec<u8> {
    let mut bytes = [MAGIC, &[VERSION, 0, 0, 0], &[0; 8], content].concat();
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

/// The decompressed content of a valid backup.
static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let directory = directory();
    let path = directory.path().join("backup");
    write_backup(directory.path(), &path);
    let backup = fs::read(path).unwrap();
    let mut content = Vec::new();
    let packed = &backup[HEAD..backup.len() - DIGEST];
    GzDecoder::new(packed).read_to_end(&mut content).unwrap();
    content
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
        let (rows, made_at) = (store.rows().await.unwrap(), store.now());
        let backup = fs::File::create(path).unwrap();
        let packed = tokio::task::spawn_blocking(move || pack(rows, made_at, backup));
        packed.await.unwrap().unwrap();
        store.close(std::time::Duration::from_secs(100)).await;
    });
}

/// Creates a temporary directory, in memory if possible: thousands of syncs to disk would be slow.
fn directory() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}
