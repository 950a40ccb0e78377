//! The list of what was erased, beside the file of inquiries: a backup is older than some erasures, which are done again after
//! it was restored.
//!
//! An erasure is listed durably before it is made, so that a crash in between loses no line. What is listed and still there
//! was meant to go.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use uuid::Uuid;

use super::directory::{self, DirectoryLock};
use super::file::give;
use crate::domain::inquiry::rfc3339_millis;
use crate::store::erased_list;
use crate::store::map::{EngineError, Key, Value};
use crate::store::values::{id, number, to_time};

/// The longest line, in bytes; ours have some ninety.
const LONGEST_LINE: u64 = 1024;

/// Reads the list, as entries in the order of their keys.
pub fn read(data_dir: &Path) -> Result<Vec<(Key, Value)>, EngineError> {
    let path = data_dir.join(directory::ERASED_FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let listed = erased_list::read(&path).map_err(|error| EngineError::Failed(error.to_string()))?;
    let entry = |(id, at): (Uuid, _)| {
        let at = crate::store::values::millis(at);
        (id.as_bytes().to_vec(), at.to_be_bytes().to_vec())
    };
    Ok(listed.into_iter().map(entry).collect())
}

/// Adds entries to the list, durably.
pub fn add<'a>(
    data_dir: &Path,
    lock: &DirectoryLock,
    entries: impl Iterator<Item = (&'a Key, &'a Option<Value>)>,
) -> Result<(), EngineError> {
    let mut lines = String::new();
    for (key, value) in entries {
        let Some(at) = value else { continue };
        let (id, at) = (Uuid::from_bytes(id(key)?), rfc3339_millis(to_time(number(at)?)));
        // A string takes every text.
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
    // root erases while no server runs, which must be able to add lines afterwards.
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
        // If not, it names something that is still there, and that was meant to go.
        let _ = list.set_len(before);
    }
    added
}

/// Returns the length of a list without the line that a crash has left incomplete. What it would have named was not erased.
fn whole_lines(list: &mut File) -> io::Result<u64> {
    let len = list.metadata()?.len();
    let start = len.saturating_sub(LONGEST_LINE);
    list.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    list.read_to_end(&mut end)?;
    Ok(match end.iter().rposition(|&byte| byte == b'\n') {
        Some(at) => start + at as u64 + 1,
        None if start == 0 => 0,
        // Not a line of ours; it stays for the operator to see.
        None => len,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use super::*;

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
        assert_eq!(read(dir.path()).unwrap(), [(vec![1; 16], vec![0; 8])]);
    }
}
