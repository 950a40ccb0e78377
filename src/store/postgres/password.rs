//! The password of the database, and where to look for it.

use std::env;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::files::regular_file;

/// The credential that the service manager may pass.
const CREDENTIAL: &str = "postgres-password";

/// The longest file that is read for a password, in bytes: anything longer is another file.
const MAX_LENGTH: u64 = 64 << 10;

/// The permissions of group and others. libpq, too, ignores a password file that they may read.
const OTHERS: u32 = 0o077;

/// A password, which no log or error can show by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Wraps a password.
    pub fn new(password: String) -> Self {
        Self(password)
    }

    /// Returns the password itself, for the log-in.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

/// Why no password could be read.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The file cannot be read.
    #[error("cannot read the password in {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is open to others.
    #[error("others may read the passwords in {}: chmod 0600 it", .0.display())]
    Open(PathBuf),
}

/// libpq's file of passwords.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passfile {
    /// The one that the operator has named.
    Named(PathBuf),
    /// The one in the home directory, which may be closed to a service.
    AtHome(PathBuf),
}

impl Passfile {
    /// Returns where it is.
    fn path(&self) -> &Path {
        match self {
            Self::Named(path) | Self::AtHome(path) => path,
        }
    }

    /// Reads it; `None` if there is none.
    fn read(&self) -> Result<Option<String>, PasswordError> {
        match (self, read(self.path())) {
            (Self::AtHome(_), Err(PasswordError::Read { source, .. }))
                if source.kind() == ErrorKind::PermissionDenied =>
            {
                Ok(None)
            }
            (_, read) => read,
        }
    }
}

/// Whose password is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Login<'a> {
    /// Name of the host, or its socket's directory.
    pub host: &'a str,
    /// Port.
    pub port: u16,
    /// Name of the database.
    pub database: &'a str,
    /// Name of the user.
    pub user: &'a str,
}

/// Looks for a password where the address has none: in the credential, then in the password file. Both are read at each
/// log-in, so that a new password needs no restart.
///
/// # Errors
/// When one of them exists and cannot be read.
pub fn find(passfile: Option<&Passfile>, login: Login<'_>) -> Result<Option<Password>, PasswordError> {
    if let Some(directory) = env::var_os("CREDENTIALS_DIRECTORY") {
        let path = Path::new(&directory).join(CREDENTIAL);
        if let Some(text) = read(&path)? {
            return Ok(Some(Password(without_line_break(&text).to_owned())));
        }
    }
    let Some(passfile) = passfile else {
        return Ok(None);
    };
    let Some(text) = passfile.read()? else {
        return Ok(None);
    };
    match fs::metadata(passfile.path()) {
        Ok(found) if found.mode() & OTHERS == 0 => Ok(in_passfile(&text, login).map(Password)),
        _ => Err(PasswordError::Open(passfile.path().to_owned())),
    }
}

fn read(path: &Path) -> Result<Option<String>, PasswordError> {
    match regular_file::read_text(path, MAX_LENGTH) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(PasswordError::Read {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Removes the line break that editors write at the end.
fn without_line_break(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

/// Returns the password of the first line that matches: `host:port:database:user:password`, where `*` matches anything.
fn in_passfile(text: &str, login: Login<'_>) -> Option<String> {
    let port = login.port.to_string();
    // As libpq calls every socket.
    let host = if login.host.starts_with('/') {
        "localhost"
    } else {
        login.host
    };
    let wanted = [host, &port, login.database, login.user];
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| {
            let fields = fields(without_line_break(line));
            let (given, password) = fields.split_at_checked(wanted.len())?;
            let matches = given
                .iter()
                .zip(wanted)
                .all(|(given, wanted)| given == "*" || given == wanted);
            matches.then(|| password.first().cloned()).flatten()
        })
}

/// Splits a line at colons; `\` escapes the next character.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let character = match character {
            ':' => {
                fields.push(String::new());
                continue;
            }
            '\\' => characters.next().unwrap_or('\\'),
            character => character,
        };
        if let Some(field) = fields.last_mut() {
            field.push(character);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const LOGIN: Login<'static> = Login {
        host: "db1",
        port: 5432,
        database: "site",
        user: "anna",
    };

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text = "# *:*:*:*:no\ndb1:5433:*:anna:port\ndb1:*:site:anna:a\\:b\\\\c\n*:*:*:*:other\n";
        assert_eq!(in_passfile(text, LOGIN).unwrap(), "a:b\\c");
        let elsewhere = Login { host: "db2", ..LOGIN };
        assert_eq!(in_passfile(text, elsewhere).unwrap(), "other");
        assert_eq!(in_passfile("db1:5432:site\n\n", LOGIN), None);
        let socket = Login {
            host: "/run/postgresql",
            ..LOGIN
        };
        assert_eq!(in_passfile("localhost:*:*:*:s\n", socket).unwrap(), "s");
    }

    #[test]
    fn a_password_file_that_others_may_read_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pgpass");
        let passfile = Passfile::Named(path.clone());
        assert_eq!(find(Some(&passfile), LOGIN).unwrap(), None);
        fs::write(&path, "*:*:*:*:geheim\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let error = find(Some(&passfile), LOGIN).unwrap_err().to_string();
        assert!(error.contains("0600") && !error.contains("geheim"), "{error}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let found = find(Some(&passfile), LOGIN).unwrap().unwrap();
        assert_eq!(found.expose(), "geheim");
        assert_eq!(format!("{found:?}"), "[secret]");
    }
}
