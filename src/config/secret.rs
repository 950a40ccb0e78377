//! What must never be shown.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::toml_file::{Document, FileError};

/// The longest file with a secret that is read, in bytes: anything longer is another file.
const MAX_LENGTH: u64 = 4096;

/// A password or a key. No log or error can show it by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Keeps a secret.
    pub fn new(secret: T) -> Self {
        Self(secret)
    }

    /// Returns the secret, for whoever has to send it or to compute with it.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

/// Reads the secret in the file that a key names.
///
/// # Errors
/// When the file cannot be read, or is not one line of text.
pub fn read(document: &Document, key: &str, path: &Spanned<PathBuf>) -> Result<Secret<String>, FileError> {
    let file = document.resolve(path.get_ref());
    read_line(&file).map_err(|error| {
        let file = shown(path.get_ref(), &file);
        let message =
            format!("`{key}` must name a readable file with the secret in one line; {file}: {error}");
        document.wrong(path.span(), &message)
    })
}

/// Returns what an error may say of a path in the file: somebody may have written the secret itself in its place, and nobody
/// begins one with a directory that exists.
fn shown(given: &Path, file: &Path) -> String {
    let directory = file.parent().unwrap_or(Path::new("/"));
    if given.is_absolute() && directory != Path::new("/") && directory.is_dir() {
        file.display().to_string()
    } else {
        format!("looked for in {}", directory.display())
    }
}

/// Reads the only line of a file. A line break at its end is no part of it: editors write one.
///
/// # Errors
/// When the file cannot be read, or is not one line of text.
pub fn read_line(path: &Path) -> io::Result<Secret<String>> {
    let mut text = String::new();
    File::open(path)?.take(MAX_LENGTH + 1).read_to_string(&mut text)?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let is_line = !line.is_empty() && !line.chars().any(char::is_control) && text.len() as u64 <= MAX_LENGTH;
    if is_line {
        Ok(Secret(line.to_owned()))
    } else {
        Err(io::Error::other("it must hold one line of text"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(
            format!("{secret:?} {:?}", Some(&secret)),
            "[secret] Some([secret])"
        );
        assert_eq!(secret.expose(), "hunter2");
    }

    #[test]
    fn a_secret_is_one_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("secret");
        for text in ["geheim", "geheim\n", "geheim\r\n"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(read_line(&path).unwrap().expose(), "geheim", "{text:?}");
        }
        for wrong in ["", "\n", "a\nb", "a\0", "a\n\n", &"a".repeat(5000)] {
            std::fs::write(&path, wrong).unwrap();
            assert!(read_line(&path).is_err(), "{wrong:?}");
        }
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_line(&path).is_err());
        assert!(read_line(directory.path()).is_err());
        assert!(read_line(&directory.path().join("missing")).is_err());
    }
}
