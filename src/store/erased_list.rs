//! Reading a list of what was erased, `erased.jsonl`.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use crate::base::files::regular_file;
use crate::domain::inquiry::parse_rfc3339;

/// The longest line, in bytes; ours have some ninety.
const LONGEST_LINE: usize = 1024;

/// What was erased, and when last.
pub type Erased = BTreeMap<Uuid, Timestamp>;

/// Why a list cannot be used, in one line that says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ErasedListError {
    /// The system does not give the file.
    #[error("cannot read {}: {source}; check the path and who may read it", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// A line is not what an erasure writes.
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

/// Reads a list. A last line without an end is what a crash left: what it would have named was not erased.
///
/// # Errors
/// When a line is not understood: what it names would come back.
pub fn read(path: &Path) -> Result<Erased, ErasedListError> {
    let mut list = Vec::new();
    let read = regular_file::open(path).and_then(|mut file| file.read_to_end(&mut list));
    read.map_err(|source| ErasedListError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let mut erased = Erased::new();
    for (before, line) in list.split_inclusive(|&byte| byte == b'\n').enumerate() {
        // After a power cut, zeros stand where something had not reached the disk. It was not erased either.
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
                return Err(ErasedListError::Line {
                    path: path.to_owned(),
                    line: before + 1,
                });
            }
        }
    }
    Ok(erased)
}

fn parse(line: &[u8]) -> Option<(Uuid, Timestamp)> {
    let Line { id, erased_at } = serde_json::from_slice(line).ok()?;
    Some((id.parse().ok()?, parse_rfc3339(&erased_at)?))
}

#[cfg(test)]
mod tests {
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
        // What a power cut has left of lines in the middle, shorter and longer than what is read at once.
        for zeros in [1, 500, 5000] {
            let torn = format!("{LINE}\n{}{}\n{LINE}\n", "\0".repeat(zeros), LINE.split_at(40).1);
            assert_eq!(read_text(&torn), Ok(1), "{zeros}");
        }
        for wrong in ["notes\n", "{}\n", &"x".repeat(2000)] {
            let error = read_text(wrong).unwrap_err();
            assert!(error.contains(":1: expected {\"id\""), "{error}");
        }
    }
}
