//! The file of a directory: finding, opening and creating it. A new file is completed under a temporary name, so that an
//! incomplete file never has the real one.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableDatabase, StorageBackend, TableHandle, WriteTransaction};
use rustix::process::geteuid;

use super::directory::{self, DirectoryLock};
use super::{attempt, table};
use crate::base::files::FileIdentity;
use crate::store::OpenError;
use crate::store::map::EntryKind;
use crate::store::open_error::{explain, refused};

/// redb's cache for a server's file, in bytes.
pub const CACHE_BYTES: usize = 8 << 20;

/// redb's cache for commands and copies, which read everything once.
pub const PASSING_BYTES: usize = 1 << 20;

/// The first bytes of every redb file.
const MAGIC: [u8; 9] = [b'r', b'e', b'd', b'b', 0x1a, 0x0a, 0xa9, 0x0d, 0x0a];

/// A table of files from before this format.
const FORMER: &str = "meta";

/// An open file.
pub struct OpenedFile {
    /// Its contents.
    pub database: Database,
    /// Its identity, if it is a file.
    pub identity: Option<FileIdentity>,
    /// A warning for the operator.
    pub warning: Option<String>,
}

/// Opens a database with any contents.
pub fn open_storage(storage: impl StorageBackend, cache: usize) -> Result<Database, redb::Error> {
    Ok(Builder::new()
        .set_cache_size(cache)
        .create_with_backend(storage)?)
}

/// Opens the file of a locked directory.
///
/// # Errors
/// When it is missing, or not ours.
pub fn open(data_dir: &Path, lock: &DirectoryLock, cache: usize) -> Result<OpenedFile, OpenError> {
    let (path, file) = find(data_dir)?;
    let found = file.metadata().map_err(|error| refused(&path, error))?;
    if !found.is_file() {
        return Err(OpenError::NotAFile(path));
    }
    // Its creation was interrupted.
    if found.len() == 0 {
        return Err(OpenError::MissingFile(path));
    }
    // A file that replaced another may lose its name in a power cut. Nothing is acknowledged before this.
    lock.sync().map_err(|error| refused(data_dir, error))?;
    let mut magic = [0; MAGIC.len()];
    match file.read_exact_at(&mut magic, 0) {
        Ok(()) if magic == MAGIC => {}
        Ok(()) => return Err(OpenError::Foreign(path)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            let reason = "it was cut short".to_owned();
            return Err(OpenError::Corrupt { path, reason });
        }
        Err(error) => return Err(refused(&path, error)),
    }
    let warning = keep_from_others(&file, &path).map_err(|error| refused(&path, error))?;
    let opened = attempt(|| {
        let database = open_storage(FileBackend::new(file)?, cache)?;
        let read = database.begin_read()?;
        let tables = read.list_tables()?;
        let names: Vec<String> = tables.map(|table| table.name().to_owned()).collect();
        read.close()?;
        Ok((database, names))
    });
    let (database, names) = opened.map_err(|error| explain(&path, error))?;
    let is_there = |name: &str| names.iter().any(|found| found == name);
    if is_there(FORMER) {
        return Err(OpenError::Former(path));
    }
    if !is_there(EntryKind::Facts.name()) {
        return Err(OpenError::Foreign(path));
    }
    Ok(OpenedFile {
        database,
        identity: Some(FileIdentity::from(&found)),
        warning,
    })
}

/// Opens the file of a directory, whatever it contains.
///
/// # Errors
/// When it is missing, or not readable and writable.
pub fn find(data_dir: &Path) -> Result<(PathBuf, File), OpenError> {
    let path = data_dir.join(directory::FILE_NAME);
    match OpenOptions::new().read(true).write(true).open(&path) {
        Ok(file) => Ok((path, file)),
        Err(error) => Err(match error.kind() {
            ErrorKind::NotFound => OpenError::MissingFile(path),
            ErrorKind::IsADirectory => OpenError::NotAFile(path),
            _ => refused(&path, error),
        }),
    }
}

/// Creates an empty file unless a non-empty one exists.
///
/// # Errors
/// When it cannot be created.
pub fn make_if_missing(data_dir: &Path, lock: &DirectoryLock) -> Result<(), OpenError> {
    let path = data_dir.join(directory::FILE_NAME);
    match fs::metadata(&path) {
        Ok(found) if !found.is_file() || found.len() > 0 => return Ok(()),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(refused(&path, error)),
        _ => {}
    }
    let made = NewFile::begin(data_dir, None).and_then(|(new, _)| Ok(new.take_place(lock)?));
    made.map_err(|error| explain(data_dir, error))
}

/// Removes the remains of a new file whose creation was interrupted.
///
/// # Errors
/// When it cannot be removed.
pub fn remove_leftover(data_dir: &Path) -> Result<(), OpenError> {
    let path = data_dir.join(directory::NEW_FILE);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(refused(&path, error)),
        _ => Ok(()),
    }
}

/// A file under its temporary name, removed on drop.
pub struct NewFile {
    data_dir: PathBuf,
    is_placed: bool,
}

impl NewFile {
    /// Creates one with empty tables, owned like the file that it will replace; `None` for this process's user.
    pub fn begin(data_dir: &Path, owner: Option<&fs::Metadata>) -> Result<(Self, Database), redb::Error> {
        let path = data_dir.join(directory::NEW_FILE);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(directory::FILE_MODE)
            .open(&path)?;
        let new = Self {
            data_dir: data_dir.to_owned(),
            is_placed: false,
        };
        if let Some(owner) = owner {
            give(&file, owner.uid(), owner.gid())?;
        }
        let database = open_storage(FileBackend::new(file)?, CACHE_BYTES)?;
        write(&database, |file| {
            for kind in EntryKind::ALL {
                file.open_table(table(kind))?;
            }
            Ok(())
        })?;
        Ok((new, database))
    }

    /// Gives it the real name, durably, replacing the former file. If only the final sync fails, the file must be reopened.
    pub fn take_place(mut self, lock: &DirectoryLock) -> io::Result<()> {
        let path = self.data_dir.join(directory::NEW_FILE);
        File::open(&path)?.sync_all()?;
        fs::rename(path, self.data_dir.join(directory::FILE_NAME))?;
        self.is_placed = true;
        lock.sync()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_placed {
            // If it cannot be removed now, the next start removes it.
            let _ = fs::remove_file(self.data_dir.join(directory::NEW_FILE));
        }
    }
}

/// Writes durably, including the list of free pages, so that the file opens at once after a crash.
pub fn write(
    database: &Database,
    content: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
) -> Result<(), redb::Error> {
    let mut file = database.begin_write()?;
    file.set_two_phase_commit(true);
    file.set_quick_repair(true);
    content(&file)?;
    Ok(file.commit()?)
}

/// Gives a file created by root to the owner of the store.
pub fn give(file: &File, uid: u32, gid: u32) -> io::Result<()> {
    let is = file.metadata()?;
    if is.uid() != uid {
        return match fchown(file, Some(uid), Some(gid)) {
            // Only root may give files away. A user who could replace the file can also open it.
            Err(error) if error.kind() == ErrorKind::PermissionDenied && !geteuid().is_root() => Ok(()),
            other => other,
        };
    }
    if is.gid() != gid {
        // The mode keeps the group out anyway.
        let _ = fchown(file, None, Some(gid));
    }
    Ok(())
}

/// Closes the file to other users; returns a warning if that is not possible.
fn keep_from_others(file: &File, path: &Path) -> io::Result<Option<String>> {
    let is_shared = file.metadata()?.permissions().mode() & 0o077 != 0;
    if !is_shared {
        return Ok(None);
    }
    match file.set_permissions(Permissions::from_mode(directory::FILE_MODE)) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(Some(format!(
            "{} belongs to another user, and others may have access to it",
            path.display()
        ))),
        other => other.map(|()| None),
    }
}
