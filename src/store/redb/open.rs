//! Opening the file: complete and ours, or not at all.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use redb::backends::FileBackend;
use redb::{Database, ReadableDatabase, ReadableTableMetadata, StorageBackend};

use super::directory::DirectoryLock;
use super::error::{attempt, damaged};
use super::open_error::{OpenError, explain, refused};
use super::overlay::{Overlay, Revocation};
use super::schema::{self, COPYING, INQUIRIES, REFERRALS, SUBSCRIPTIONS};
use super::{create, database, directory, migrations, tables};
use crate::files::FileIdentity;

/// The first bytes of every redb file.
const MAGIC: [u8; 9] = [b'r', b'e', b'd', b'b', 0x1a, 0x0a, 0xa9, 0x0d, 0x0a];

/// A file that was opened.
pub struct Opened {
    /// The file.
    pub database: Database,
    /// Which one it is, if it is a file.
    pub identity: Option<FileIdentity>,
    /// Keeps others from the directory, unless a command has it open.
    pub lock: Option<DirectoryLock>,
    /// What the operator should know about where it is.
    pub warnings: Vec<String>,
}

impl From<Database> for Opened {
    fn from(database: Database) -> Self {
        Self {
            database,
            identity: None,
            lock: None,
            warnings: Vec::new(),
        }
    }
}

/// Opens the file; creates directory and file if they are missing. An empty file counts as missing.
pub fn or_create(data_dir: &Path, wait: Duration) -> Result<Opened, OpenError> {
    let warning = directory::prepare(data_dir)?;
    let lock = directory::lock(data_dir, wait)?;
    must_not_be_copied_to(data_dir)?;
    create::remove_leftover(data_dir)?;
    let path = directory::file(data_dir);
    match fs::metadata(&path) {
        Ok(found) if found.is_file() && found.len() == 0 => create::empty(data_dir, &lock)?,
        Err(error) if error.kind() == ErrorKind::NotFound => create::empty(data_dir, &lock)?,
        Err(error) => return Err(refused(&path, error)),
        Ok(_) => {}
    }
    let mut opened = existing(data_dir, wait)?;
    opened.lock = Some(lock);
    opened.warnings.extend(warning);
    Ok(opened)
}

/// Opens the file that is there. `wait` is how long to wait for another process to let go of it.
pub fn existing(data_dir: &Path, wait: Duration) -> Result<Opened, OpenError> {
    let (path, file) = locked(data_dir, wait)?;
    // A file that took another one's place may have its name only until a power cut. Nothing is acknowledged before.
    directory::sync(data_dir).map_err(|error| refused(data_dir, error))?;
    let inspected = file.try_clone().map_err(|error| refused(&path, error))?;
    inspect(inspected, &path)?;
    let warning = keep_from_others(&file, &path).map_err(|error| refused(&path, error))?;
    let identity = FileIdentity::from(&file.metadata().map_err(|error| refused(&path, error))?);
    let database = attempt(|| current(FileBackend::new(file)?)).map_err(|error| explain(&path, error))?;
    must_be_whole(&database, &path)?;
    Ok(Opened {
        database,
        identity: Some(identity),
        lock: None,
        warnings: warning.into_iter().collect(),
    })
}

/// Opens the file that is there for reading alone, while it cannot be written. Whoever writes it again ends that first. The caller
/// has the directory.
pub fn reading(data_dir: &Path) -> Result<(Database, Revocation), OpenError> {
    let path = directory::file(data_dir);
    let opened = attempt(|| {
        let overlay = Overlay::new(File::open(&path)?)?;
        let revocation = overlay.revocation();
        Ok((current(overlay)?, revocation))
    });
    opened.map_err(|error| explain(&path, error))
}

/// Opens the inquiries that a storage holds, and migrates them.
pub fn current(storage: impl StorageBackend) -> Result<Database, redb::Error> {
    let database = database::open(storage)?;
    let found = migrations::schema_of(&database)?;
    match found.filter(|found| (1..=migrations::CURRENT).contains(found)) {
        Some(found) => migrations::migrate(&database, found)?,
        None => {
            return Err(damaged(
                "it has no schema, or another one than when it was inspected",
            ));
        }
    }
    Ok(database)
}

/// Fails when a copy into the directory was interrupted before there was a file that says so.
pub fn must_not_be_copied_to(data_dir: &Path) -> Result<(), OpenError> {
    let begun = directory::copying_file(data_dir);
    if begun.exists() {
        return Err(OpenError::Copying(begun));
    }
    Ok(())
}

/// Fails when a copy into the file was interrupted.
pub fn must_be_whole(database: &Database, path: &Path) -> Result<(), OpenError> {
    let is_copying = attempt(|| schema::flag(database, COPYING)).map_err(|error| explain(path, error))?;
    if is_copying {
        return Err(OpenError::Copying(path.to_owned()));
    }
    Ok(())
}

/// A file that is locked, and not changed.
pub struct Target {
    inquiries: u64,
    is_copying: bool,
    /// Keeps others from using it.
    _file: File,
}

impl Target {
    /// Returns how many inquiries are in it.
    pub fn inquiries(&self) -> u64 {
        self.inquiries
    }

    /// Returns whether a copy into it was interrupted.
    pub fn is_copying(&self) -> bool {
        self.is_copying
    }
}

/// Locks the file of a directory and looks what is in it; `None` if there is none, or an empty one.
pub fn if_there(data_dir: &Path) -> Result<Option<Target>, OpenError> {
    let path = directory::file(data_dir);
    match fs::metadata(&path) {
        Ok(found) if found.is_file() && found.len() == 0 => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    let file = lock(&path, Duration::ZERO)?;
    let again = || file.try_clone().map_err(|error| refused(&path, error));
    inspect(again()?, &path)?;
    let overlay = again()?;
    let counted = attempt(|| {
        let database = current(Overlay::new(overlay)?)?;
        let read = database.begin_read()?;
        let (inquiries, referrals) = (read.open_table(INQUIRIES)?, read.open_table(REFERRALS)?);
        let count = inquiries
            .len()?
            .max(referrals.len()?)
            .max(read.open_table(SUBSCRIPTIONS)?.len()?);
        Ok((count, schema::fact(&read, COPYING)?.is_some()))
    });
    let (inquiries, is_copying) = counted.map_err(|error| explain(&path, error))?;
    Ok(Some(Target {
        inquiries,
        is_copying,
        _file: file,
    }))
}

/// Locks the file of a directory.
pub fn locked(data_dir: &Path, wait: Duration) -> Result<(PathBuf, File), OpenError> {
    directory::must_exist(data_dir)?;
    must_not_be_copied_to(data_dir)?;
    let path = directory::file(data_dir);
    let file = lock(&path, wait)?;
    Ok((path, file))
}

/// Withdraws the rights of other users to the file; returns a warning if it belongs to another user, who gave rights to
/// this one.
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

/// Opens the file and locks it for this process. redb takes the same lock once more through the same open file, and
/// lets go of it when it closes.
fn lock(path: &Path, wait: Duration) -> Result<File, OpenError> {
    let started = Instant::now();
    loop {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(|error| match error.kind() {
                ErrorKind::NotFound => OpenError::MissingFile(path.to_owned()),
                ErrorKind::IsADirectory => OpenError::NotAFile(path.to_owned()),
                _ => refused(path, error),
            })?;
        let found = file.metadata().map_err(|error| refused(path, error))?;
        if !found.is_file() {
            return Err(OpenError::NotAFile(path.to_owned()));
        }
        match file.try_lock() {
            Ok(()) => {
                let current = fs::metadata(path).map_err(|error| refused(path, error))?;
                // Another file means that inquiries were erased just now.
                if FileIdentity::from(&current) == FileIdentity::from(&found) {
                    return Ok(file);
                }
            }
            Err(TryLockError::WouldBlock) if started.elapsed() < wait => thread::sleep(directory::LOCK_RETRY),
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(refused(path, error)),
        }
    }
}

/// Checks the locked file without changing it, and whether it could be migrated.
pub fn inspect(file: File, path: &Path) -> Result<(), OpenError> {
    let mut magic = [0; MAGIC.len()];
    let read = std::os::unix::fs::FileExt::read_exact_at(&file, &mut magic, 0);
    match read {
        Ok(()) if magic == MAGIC => {}
        Ok(()) => return Err(OpenError::Foreign(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            return Err(OpenError::Corrupt {
                path: path.to_owned(),
                reason: "it was cut short".to_owned(),
            });
        }
        Err(error) => return Err(refused(path, error)),
    }
    let inspected = attempt(|| {
        let database = database::open(Overlay::new(file)?)?;
        let found = migrations::schema_of(&database)?;
        if let Some(found) = found.filter(|found| (1..=migrations::CURRENT).contains(found)) {
            migrations::migrate(&database, found)?;
            tables::inspect_all(&database.begin_read()?)?;
        }
        Ok(found)
    });
    match inspected.map_err(|error| explain(path, error))? {
        None => Err(OpenError::Foreign(path.to_owned())),
        Some(0) => Err(OpenError::Corrupt {
            path: path.to_owned(),
            reason: "it has schema 0".to_owned(),
        }),
        Some(found) if found > migrations::CURRENT => Err(OpenError::Newer {
            path: path.to_owned(),
            found,
            known: migrations::CURRENT,
        }),
        Some(_) => Ok(()),
    }
}
