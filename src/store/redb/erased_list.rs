//! The list of erased ids, next to the file of inquiries: after a backup is restored, later erasures are repeated from this list.
//! An erasure is listed durably before it is made, so that a crash in between loses no line. An entry that is listed but still
//! exists was meant to be erased.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::directory::{self, DirectoryLock};
use super::file::give;
use crate::base::files::regular_file;
use crate::domain::inquiry::{parse_rfc3339, rfc3339_millis};
use crate::store::map::{EngineError, Key, Value};
use crate::store::values::{id, millis, number, to_time};

/// The longest line, in bytes; ours have about ninety.
const LONGEST_LINE: usize = 1024;

/// Erased ids, with the time of the last erasure.
pub type Erased = BTreeMap<Uuid, Timestamp>;

/// Why a list cannot be used; displayed as one line with advice.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ErasedListError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}; check the path and who may read it", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// A line was not written by an erasure.
    #[error(
        "{}:{line}: expected {{\"id\":\"…\",\"erased_at\":\"…\"}}; correct the line, or name the erased.jsonl of the lost store",
        path.display()
    )]
    Line { path: PathBuf, line: usize },
}

#[derive(Deserialize)]
struct Line {
    id: String,
    erased_at: String,
}

/// Reads a list. An unterminated last line was left by a crash; its entry was not erased.
///
/// # Errors
/// When a line cannot be parsed: the entry that it names would reappear.
pub fn read(path: &Path) -> Result<Erased, ErasedListError> {
    let mut list = Vec::new();
    let read = regular_file::open(path).and_then(|mut file| file.read_to_end(&mut list));
    read.map_err(|source| {
        let path = path.to_owned();
        ErasedListError::Unreadable { path, source }
    })?;
    let mut erased = Erased::new();
    for (before, line) in list.split_inclusive(|&byte| byte == b'\n').enumerate() {
        // After a power cut, zeros replace what had not reached the disk. Those entries were not erased either.
        if line.contains(&0) || line.trim_ascii().is_empty() {
            continue;
        }
        match parse(line) {
            Some((id, at)) => {
                let latest = erased.entry(id).or_insert(at);
                *latest = at.max(*latest);
            }
            None if !line.ends_with(b"\n") && line.len() < LONGEST_LINE => break,
            None => {
                let (path, line) = (path.to_owned(), before + 1);
                return Err(ErasedListError::Line { path, line });
            }
        }
    }
    Ok(erased)
}

fn parse(line: &[u8]) -> Option<(Uuid, Timestamp)> {
    let Line { id, erased_at } = serde_json::from_slice(line).ok()?;
    Some((id.parse().ok()?, parse_rfc3339(&erased_at)?))
}

/// Reads the list of a directory as entries, in key order.
pub(super) fn entries(data_dir: &Path) -> Result<Vec<(Key, Value)>, EngineError> {
    let path = data_dir.join(directory::ERASED_FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let listed = read(&path).map_err(|error| EngineError::Failed(error.to_string()))?;
    let entry = |(id, at): (Uuid, _)| {
        let at = millis(at);
        (id.as_bytes().to_vec(), at.to_be_bytes().to_vec())
    };
    Ok(listed.into_iter().map(entry).collect())
}

/// Appends entries to the list, durably.
pub(super) fn add<'a>(
    data_dir: &Path,
    lock: &DirectoryLock,
    entries: impl Iterator<Item = (&'a Key, &'a Option<Value>)>,
) -> Result<(), EngineError> {
    let mut lines = String::new();
    for (key, value) in entries {
        let Some(at) = value else { continue };
        let (id, at) = (Uuid::from_bytes(id(key)?), rfc3339_millis(to_time(number(at)?)));
        // Writing to a string cannot fail.
        let _ = writeln!(lines, r#"{{"id":"{id}","erased_at":"{at}"}}"#);
    }
    if lines.is_empty() {
        return Ok(());
    }
    append(data_dir, lock, lines.as_bytes()).map_err(|error| {
        EngineError::Failed(format!(
            "nothing was erased, because {} cannot be written: {error}",
            data_dir.join(directory::ERASED_FILE).display()
        ))
    })
}

fn append(data_dir: &Path, lock: &DirectoryLock, lines: &[u8]) -> io::Result<()> {
    let mut list = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(directory::FILE_MODE)
        .open(data_dir.join(directory::ERASED_FILE))?;
    // root may erase while no server runs; the server must be able to append afterwards.
    if let Ok(store) = fs::metadata(data_dir.join(directory::FILE_NAME)) {
        give(&list, store.uid(), store.gid())?;
    }
    let before = whole_lines(&mut list)?;
    if before < list.metadata()?.len() {
        list.set_len(before)?;
    }
    let added = list
        .write_all(lines)
        .and_then(|()| list.sync_all())
        .and_then(|()| lock.sync());
    if added.is_err() {
        // If this fails, the list names an entry that still exists, but was meant to be erased anyway.
        let _ = list.set_len(before);
    }
    added
}

/// Length of a list without an unterminated last line, whose entry was not erased.
fn whole_lines(list: &mut File) -> io::Result<u64> {
    let len = list.metadata()?.len();
    let start = len.saturating_sub(LONGEST_LINE as u64);
    list.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    list.read_to_end(&mut end)?;
    Ok(match end.iter().rposition(|&byte| byte == b'\n') {
        Some(at) => start + at as u64 + 1,
        None if start == 0 => 0,
        // Not one of our lines; kept for the operator to see.
        None => len,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use super::*;

    const LINE: &str =
        r#"{"id":"00000000-0000-0000-0000-000000000001","erased_at":"2026-11-22T13:00:00.000Z"}"#;

    fn read_text(text: &str) -> Result<usize, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        read(file.path())
            .map(|erased| erased.len())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn every_line_counts_and_only_a_cut_last_one_does_not() {
        assert_eq!(read_text(""), Ok(0));
        assert_eq!(read_text(LINE), Ok(1));
        assert_eq!(read_text(&format!("{LINE}\n\n{LINE}\n")), Ok(1));
        assert_eq!(read_text(&format!("{LINE}\n{}", LINE.split_at(40).0)), Ok(1));
        // What a power cut leaves of lines in the middle, both shorter and longer than one read.
        for zeros in [1, 500, 5000] {
            let torn = format!("{LINE}\n{}{}\n{LINE}\n", "\0".repeat(zeros), LINE.split_at(40).1);
            assert_eq!(read_text(&torn), Ok(1), "{zeros}");
        }
        for wrong in ["notes\n", "{}\n", &"x".repeat(2000)] {
            let error = read_text(wrong).unwrap_err();
            assert!(error.contains(":1: expected {\"id\""), "{error}");
        }
    }

    #[test]
    fn a_line_that_a_crash_has_cut_does_not_spoil_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let lock = directory::lock(dir.path(), Duration::ZERO).unwrap();
        let entries: BTreeMap<Key, Option<Value>> = [(vec![1; 16], Some(vec![0; 8]))].into();
        let path = dir.path().join(directory::ERASED_FILE);
        add(dir.path(), &lock, entries.iter()).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for cut in 0..whole.len() {
            fs::write(&path, [whole.as_slice(), &whole[..cut]].concat()).unwrap();
            add(dir.path(), &lock, entries.iter()).unwrap();
            assert_eq!(
                fs::read(&path).unwrap(),
                [whole.as_slice(), &whole].concat(),
                "{cut}"
            );
        }
        assert_eq!(super::entries(dir.path()).unwrap(), [(vec![1; 16], vec![0; 8])]);
    }
}
