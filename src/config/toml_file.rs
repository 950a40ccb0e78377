//! Reading TOML files: every error names the file, the line and what was expected.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::base::files::regular_file;
use crate::base::text::mail_address::one_line;

/// The longest file that is read, in bytes. Ten thousand firms need a quarter of it.
const MAX_LENGTH: u64 = 16 << 20;

/// Which file it is, for the advice in errors.
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

/// Why a file cannot be used, in one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read the {} {path}: {source}; check {}", kind.name, kind.flag)]
    Read {
        /// Which file it is.
        kind: TomlKind,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Something in the file is wrong.
    #[error("{path}:{line}: {message}; `{}` prints every key", kind.sample)]
    Wrong {
        /// Which file it is.
        kind: TomlKind,
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong and what was expected.
        message: String,
    },
}

/// The text of a file, kept for the lines in errors.
#[derive(Clone)]
pub struct TomlDocument {
    kind: TomlKind,
    path: PathBuf,
    text: String,
}

/// Leaves out the text, which may hold addresses.
impl fmt::Debug for TomlDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Document").field(&self.path).finish()
    }
}

impl TomlDocument {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read.
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

    /// Takes the text of a file, which `path` names in errors.
    pub fn new(kind: TomlKind, path: &Path, text: String) -> Self {
        Self {
            kind,
            path: path.to_owned(),
            text,
        }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path that a path in the file means: relative ones begin where the file is.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }

    /// Checks the file.
    ///
    /// # Errors
    /// When a key is unknown or its value wrong.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        let table = self.table()?;
        T::deserialize(Deserializer::from(table)).map_err(|error| self.refused(&error))
    }

    /// Returns the keys and values of the file, each with its place.
    ///
    /// # Errors
    /// When it is not TOML.
    pub fn table(&self) -> Result<Spanned<DeTable<'_>>, FileError> {
        DeTable::parse(&self.text).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &toml::de::Error) -> FileError {
        // The library says the key of the value, such as `links.social`, only in a line below the message.
        let shown = error.to_string();
        let key = shown
            .strip_suffix("`\n")
            .and_then(|shown| shown.rsplit_once("\nin `"));
        let key = key.map_or("", |(_, key)| key);
        let message = in_terms_of_toml(error.message());
        let message = match key {
            "" => message,
            key if message.starts_with("invalid ") => format!("`{key}`: {message}"),
            // As the types of values say it.
            key if message.starts_with("must ") || message.starts_with("is ") => format!("`{key}` {message}"),
            _ => message,
        };
        self.wrong_at(error.span().unwrap_or_default(), &message)
    }

    /// Returns the error of the value of a key, such as `mail.from`, or `firm.1.id` of the second table of a list.
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

    /// Returns the error about a range of bytes of the file.
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

/// Returns a message without the words of Rust and of its library for types, which operators need not know.
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
