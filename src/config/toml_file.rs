//! Reading TOML files: every error names the file, the line and what was expected.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_path_to_error::{Path as KeyPath, Segment};

use super::values::KEY;
use crate::one_line::one_line;

/// Why a file cannot be used, in one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read the site settings {path}: {source}; check --site")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Something in the file is wrong.
    #[error("{path}:{line}: {message}; see content/site.toml for every key")]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong and what was expected.
        message: String,
    },
}

/// Reads and checks a file.
///
/// # Errors
/// When it cannot be read, or a key is unknown or its value wrong.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, FileError> {
    let text = std::fs::read_to_string(path).map_err(|source| FileError::Read {
        path: path.to_owned(),
        source,
    })?;
    parse(&text, path)
}

/// Checks the text of a file, which `path` names in errors.
///
/// # Errors
/// When a key is unknown or its value wrong.
pub fn parse<T: DeserializeOwned>(text: &str, path: &Path) -> Result<T, FileError> {
    let wrong = |error: &toml::de::Error, key: &str| FileError::Wrong {
        path: path.to_owned(),
        line: line_of(text, error.span()),
        message: one_line(&error.message().replace(KEY, key)),
    };
    let deserializer = toml::Deserializer::parse(text).map_err(|error| wrong(&error, ""))?;
    serde_path_to_error::deserialize(deserializer).map_err(|error| wrong(error.inner(), &key(error.path())))
}

/// Returns the key that a path leads to, such as `links.social`; the index within a list says less than the line.
fn key(path: &KeyPath) -> String {
    let names = path.iter().filter_map(|segment| match segment {
        Segment::Map { key } => Some(key.as_str()),
        _ => None,
    });
    names.collect::<Vec<_>>().join(".")
}

fn line_of(text: &str, span: Option<Range<usize>>) -> usize {
    let start = span.map_or(0, |span| span.start);
    text.bytes().take(start).filter(|&byte| byte == b'\n').count() + 1
}
