//! TOML files. Every error names the file, the line and the expected value.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::base::files::regular_file;
use crate::base::text::mail_address::one_line;

/// Maximum length of a file in bytes. Ten thousand firms need a quarter of it.
const MAX_LENGTH: u64 = 16 << 20;

/// The kind of a file, for the advice in errors.
#[derive(Debug, Clone, Copy)]
pub struct TomlKind {
    name: &'static str,
    flag: &'static str,
    sample: &'static str,
}

impl TomlKind {
    /// The operator's own name, address, links and tags.
    pub const SITE: Self = Self {
        name: "site settings",
        flag: "--site",
        sample: "taubenabwehr config sample site",
    };

    /// The configuration of the program.
    pub const CONFIG: Self = Self {
        name: "configuration file",
        flag: "--config",
        sample: "taubenabwehr config sample",
    };
}

/// Why a file is unusable, in one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read the {} {path}: {source}; check {}", kind.name, kind.flag)]
    Read {
        /// The kind of the file.
        kind: TomlKind,
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The content of the file is invalid.
    #[error("{path}:{line}: {message}; `{}` prints every key", kind.sample)]
    Wrong {
        /// The kind of the file.
        kind: TomlKind,
        /// The path of the file.
        path: PathBuf,
        /// The line, starting at 1.
        line: usize,
        /// What is wrong, and what was expected.
        message: String,
    },
}

/// The text of a file, kept to report line numbers.
#[derive(Clone)]
pub struct TomlDocument {
    kind: TomlKind,
    path: PathBuf,
    text: String,
}

/// Omits the text, which may contain addresses.
impl fmt::Debug for TomlDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Document").field(&self.path).finish()
    }
}

impl TomlDocument {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(kind: TomlKind, path: &Path) -> Result<Self, FileError> {
        match regular_file::read_text(path, MAX_LENGTH) {
            Ok(text) => Ok(Self::new(kind, path, text)),
            Err(source) => Err(FileError::Read {
                kind,
                path: path.to_owned(),
                source,
            }),
        }
    }

    /// Wraps the text of a file; `path` is for error messages.
    pub fn new(kind: TomlKind, path: &Path, text: String) -> Self {
        Self {
            kind,
            path: path.to_owned(),
            text,
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Resolves a path in the file; relative ones start at the directory of the file.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }

    /// Deserializes the file.
    ///
    /// # Errors
    /// When the file is not TOML, a key is unknown, or a value is invalid.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        let table = self.table()?;
        T::deserialize(Deserializer::from(table)).map_err(|error| self.refused(&error))
    }

    /// The keys and values of the file with their positions.
    ///
    /// # Errors
    /// When the file is not TOML.
    pub fn table(&self) -> Result<Spanned<DeTable<'_>>, FileError> {
        DeTable::parse(&self.text).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &toml::de::Error) -> FileError {
        // The library has the key of the value, such as `links.social`, only in the last line of its output.
        let shown = error.to_string();
        let key = shown
            .strip_suffix("`\n")
            .and_then(|shown| shown.rsplit_once("\nin `"));
        let key = key.map_or("", |(_, key)| key);
        let message = in_terms_of_toml(error.message());
        let message = match key {
            "" => message,
            key if message.starts_with("invalid ") => format!("`{key}`: {message}"),
            // The errors of our value types continue after the key.
            key if message.starts_with("must ") || message.starts_with("is ") => format!("`{key}` {message}"),
            _ => message,
        };
        self.wrong_at(error.span().unwrap_or_default(), &message)
    }

    /// An error about the value of a key, such as `mail.from`, or `firm.1.id` for the second entry of a list of tables.
    pub fn wrong(&self, key: &str, message: &str) -> FileError {
        self.wrong_at(self.find(key).unwrap_or_default(), message)
    }

    fn find(&self, key: &str) -> Option<Range<usize>> {
        let table = DeTable::parse(&self.text).ok()?;
        let mut names = key.split('.');
        let mut found = table.get_ref().get(names.next()?)?;
        for name in names {
            found = match found.get_ref() {
                DeValue::Array(list) => list.get(name.parse::<usize>().ok()?)?,
                value => value.get(name)?,
            };
        }
        Some(found.span())
    }

    /// An error about a byte range of the file.
    pub fn wrong_at(&self, bytes: Range<usize>, message: &str) -> FileError {
        let before = self.text.bytes().take(bytes.start);
        FileError::Wrong {
            kind: self.kind,
            path: self.path.clone(),
            line: before.filter(|&byte| byte == b'\n').count() + 1,
            message: one_line(message),
        }
    }
}

/// Replaces the names of Rust and serde types with those of TOML.
fn in_terms_of_toml(message: &str) -> String {
    let words = [
        ("expected i64", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table"),
        ("invalid type: sequence", "invalid type: list"),
        ("invalid type: map", "invalid type: table"),
    ];
    let replace = |message: String, (word, plain): &(&str, &str)| message.replace(word, plain);
    words.iter().fold(message.to_owned(), replace)
}
