//! The data directory: what is in it, who may look into it, and whose turn it is to make something there.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::OpenError;

/// The file of inquiries.
pub const FILE_NAME: &str = "inquiries.redb";
/// The same while it is being made.
const NEW_FILE: &str = "inquiries.redb.new";
/// What may be in a data directory that is ours alone; the socket is [`crate::control`]'s.
const OURS: [&str; 4] = [FILE_NAME, NEW_FILE, "control.sock", "control.sock.new"];

/// Only this user may look into it: inquiries hold personal data.
const DIRECTORY_MODE: u32 = 0o700;
/// Only this user may read it.
pub const FILE_MODE: u32 = 0o600;

/// The path of the file of inquiries.
pub fn file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE_NAME)
}

/// The path of that file while it is being made.
pub fn new_file(data_dir: &Path) -> PathBuf {
    data_dir.join(NEW_FILE)
}

/// Makes the directory when it is missing, and closes one that is ours alone to other users.
pub fn prepare(data_dir: &Path) -> Result<(), OpenError> {
    match fs::metadata(data_dir) {
        Ok(found) if !found.is_dir() => return Err(OpenError::NotADirectory(data_dir.to_owned())),
        Ok(found) => {
            let open_to_others = found.permissions().mode() & 0o077 != 0;
            if open_to_others && is_ours_alone(data_dir).map_err(|e| refused(data_dir, e))? {
                let mode = Permissions::from_mode(DIRECTORY_MODE);
                fs::set_permissions(data_dir, mode).map_err(|e| refused(data_dir, e))?;
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => make(data_dir)?,
        Err(error) => return Err(refused(data_dir, error)),
    }
    Ok(())
}

/// Fails when the directory is missing or is none.
pub fn must_exist(data_dir: &Path) -> Result<(), OpenError> {
    match fs::metadata(data_dir) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(OpenError::NotADirectory(data_dir.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(OpenError::MissingDirectory(data_dir.to_owned()))
        }
        Err(error) => Err(refused(data_dir, error)),
    }
}

/// Holds the turn to make files in the directory until dropped; waits for another process's to end.
pub fn turn(data_dir: &Path) -> Result<File, OpenError> {
    let directory = File::open(data_dir).map_err(|e| refused(data_dir, e))?;
    directory.lock().map_err(|e| refused(data_dir, e))?;
    Ok(directory)
}

fn make(data_dir: &Path) -> Result<(), OpenError> {
    let made = DirBuilder::new()
        .recursive(true)
        .mode(DIRECTORY_MODE)
        .create(data_dir);
    made.map_err(|error| match error.kind() {
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => OpenError::NotADirectory(data_dir.to_owned()),
        _ => refused(data_dir, error),
    })?;
    // So that the directory's own entry survives a power cut, as the file in it does.
    let parent = fs::canonicalize(data_dir).and_then(|path| match path.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    });
    parent.map_err(|source| OpenError::Io {
        doing: "keep the directory",
        path: data_dir.to_owned(),
        source,
    })
}

fn is_ours_alone(data_dir: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(data_dir)? {
        let name = entry?.file_name();
        if !OURS.iter().any(|ours| name == *ours) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn refused(data_dir: &Path, source: io::Error) -> OpenError {
    let path = data_dir.to_owned();
    match source.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => OpenError::Unwritable { path, source },
        ErrorKind::NotADirectory => OpenError::NotADirectory(path),
        _ => OpenError::Io {
            doing: "use",
            path,
            source,
        },
    }
}
