//! Secrets, which must never be shown.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{self, Path};

use super::toml_file::{FileError, TomlDocument};
use crate::base::files::regular_file;

/// Prefix of webhook secrets. Detects a secret given instead of a file name, so that no error quotes it.
const WEBHOOK_SECRET: &str = "whsec_";

/// The permission bits of group and others.
const OTHERS: u32 = 0o077;

/// The mode of credential files: readable by owner and group.
const CREDENTIAL: u32 = 0o440;

/// A password or a key. Its `Debug` output is masked, so that logs and errors cannot leak it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a secret.
    pub fn new(secret: T) -> Self {
        Self(secret)
    }

    /// The secret itself, for sending it or computing with it.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

/// Reads the secret from the file that a key of a document names.
///
/// # Errors
/// When the file cannot be read, or is not one line of text.
pub fn read(key: &str, document: &TomlDocument, path: &Path) -> Result<Secret<String>, FileError> {
    let wrong = |reason: &str| {
        let message = format!("`{key}` must name a readable file with the secret in one line; {reason}");
        document.wrong(key, &message)
    };
    // Check every component, since the base64 of a secret may contain slashes.
    if path
        .iter()
        .any(|part| part.to_string_lossy().starts_with(WEBHOOK_SECRET))
    {
        return Err(wrong("this is a secret itself"));
    }
    read_line(path).map_err(|error| {
        let path = path::absolute(path).unwrap_or_else(|_| path.to_owned());
        wrong(&format!("{}: {error}", path.display()))
    })
}

/// Reads a secret from a file.
///
/// # Errors
/// As for [`regular_file::read_line`].
pub fn read_line(path: &Path) -> io::Result<Secret<String>> {
    regular_file::read_line(path).map(Secret)
}

/// Whether users other than its owner can access a file with a secret. Credentials from the service manager are exempt: they are
/// readable by the service's group, but in a directory that others cannot enter. False for a file without accessible metadata;
/// reading it reports the error.
pub fn is_open(path: &Path) -> bool {
    let Ok(mode) = fs::metadata(path).map(|found| found.mode()) else {
        return false;
    };
    let is_credential = match env::var_os("CREDENTIALS_DIRECTORY") {
        Some(directory) if path.starts_with(&directory) => true,
        _ => {
            let directory = path.parent().and_then(|directory| fs::metadata(directory).ok());
            mode & 0o777 == CREDENTIAL && directory.is_some_and(|found| found.mode() & OTHERS == 0)
        }
    };
    mode & OTHERS != 0 && !is_credential
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
    fn files_that_others_can_reach_are_told_from_those_that_they_cannot() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("secret");
        std::fs::write(&path, "geheim").unwrap();
        let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        for (of_directory, of_file, is_open) in [
            (0o755, 0o644, true),
            (0o755, 0o640, true),
            (0o750, 0o604, true),
            (0o755, 0o600, false),
            (0o755, 0o400, false),
            // The mode of credentials.
            (0o500, 0o440, false),
            (0o500, 0o444, true),
            (0o700, 0o644, true),
        ] {
            set(&path, of_file);
            set(directory.path(), of_directory);
            assert_eq!(super::is_open(&path), is_open, "{of_directory:o} {of_file:o}");
        }
        assert!(!is_open(&directory.path().join("missing")));
    }

    #[test]
    fn a_secret_is_one_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("secret");
        for text in ["geheim", "geheim\n", "geheim\r\n", "\u{feff}geheim\r\n"] {
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
