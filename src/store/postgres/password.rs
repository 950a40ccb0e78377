//! The password of the database, where neither its address nor `PGPASSWORD` has it.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use crate::base::files::regular_file;

/// The credential that the service manager may pass.
const CREDENTIAL: &str = "postgres-password";

/// A file with a password that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the database's password in {}: {source}", path.display())]
pub struct PasswordError {
    path: PathBuf,
    source: io::Error,
}

/// Reads the password in a file, or in the credential where no file is named. This is done at each log-in, so that a new password
/// needs no restart.
///
/// # Errors
/// When the file or the credential cannot be read, or is not one line of text.
pub fn read(file: Option<&Path>) -> Result<Option<String>, PasswordError> {
    let credential = || {
        let directory = env::var_os("CREDENTIALS_DIRECTORY")?;
        Some(Path::new(&directory).join(CREDENTIAL)).filter(|path| path.exists())
    };
    let Some(path) = file.map(Path::to_owned).or_else(credential) else {
        return Ok(None);
    };
    match regular_file::read_line(&path) {
        Ok(password) => Ok(Some(password)),
        Err(source) => Err(PasswordError { path, source }),
    }
}
