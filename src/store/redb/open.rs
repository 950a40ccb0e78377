//! Opening the file: complete and ours, or not at all.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableDatabase, StorageBackend};

use super::error::{attempt, damaged};
use super::open_error::OpenError;
use super::overlay::Overlay;
use super::{create, directory, migrations, tables};
use crate::one_line::one_line;

/// Memory for pages of the file. A million inquiries take the same CPU time to insert with 8 and with 16 MiB,
/// since they all go to the end of the file; the process then peaks at 18 and at 27 MB (`benches/store.rs`).
pub const CACHE_BYTES: usize = 8 << 20;

/// How often a lock that another process holds is tried again.
const LOCK_RETRY: Duration = Duration::from_millis(20);

/// The first bytes of every redb file.
const MAGIC: [u8; 9] = [b'r', b'e', b'd', b'b', 0x1a, 0x0a, 0xa9, 0x0d, 0x0a];

/// A file that was opened.
pub struct Opened {
    /// The file.
    pub database: Database,
    /// What the operator should know about where it is.
    pub warnings: Vec<String>,
}

impl From<Database> for Opened {
    fn from(database: Database) -> Self {
        let warnings = Vec::new();
        Self { database, warnings }
    }
}

/// Opens the file; creates directory and file if they are missing. An empty file counts as missing.
pub fn or_create(data_dir: &Path, wait: Duration) -> Result<Opened, OpenError> {
    let warning = directory::prepare(data_dir)?;
    {
        let lock = directory::lock(data_dir)?;
        create::remove_leftover(data_dir)?;
        let path = directory::file(data_dir);
        match fs::metadata(&path) {
            Ok(found) if found.is_file() && found.len() == 0 => create::empty(data_dir, &lock)?,
            Err(error) if error.kind() == ErrorKind::NotFound => create::empty(data_dir, &lock)?,
            Err(error) => return Err(refused(&path, error)),
            Ok(_) => {}
        }
    }
    let mut opened = existing(data_dir, wait)?;
    opened.warnings.extend(warning);
    Ok(opened)
}

/// Opens the file that is there. `wait` is how long to wait for another process to let go of it.
pub fn existing(data_dir: &Path, wait: Duration) -> Result<Opened, OpenError> {
    directory::must_exist(data_dir)?;
    let path = directory::file(data_dir);
    let file = lock(&path, wait)?;
    let inspected = file.try_clone().map_err(|error| refused(&path, error))?;
    inspect(inspected, &path)?;
    keep_from_others(&file).map_err(|error| refused(&path, error))?;
    let opened = attempt(|| current(FileBackend::new(file)?));
    opened.map(Opened::from).map_err(|error| explain(&path, error))
}

/// Opens the inquiries that a storage holds, and migrates them.
pub fn current(storage: impl StorageBackend) -> Result<Database, redb::Error> {
    let database = any(storage)?;
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

/// Opens whatever a storage holds; an empty one becomes a database without tables.
pub fn any(storage: impl StorageBackend) -> Result<Database, redb::Error> {
    Ok(builder().create_with_backend(storage)?)
}

/// Withdraws the rights of other users to the file.
fn keep_from_others(file: &File) -> io::Result<()> {
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(directory::FILE_MODE))?;
    }
    Ok(())
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
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
                if (current.dev(), current.ino()) == (found.dev(), found.ino()) {
                    return Ok(file);
                }
            }
            Err(TryLockError::WouldBlock) if started.elapsed() < wait => thread::sleep(LOCK_RETRY),
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(refused(path, error)),
        }
    }
}

/// Checks the locked file without changing it, and whether it could be migrated.
fn inspect(file: File, path: &Path) -> Result<(), OpenError> {
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
        let database = any(Overlay::new(file)?)?;
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

/// Says what is wrong with a file.
pub fn explain(path: &Path, error: redb::Error) -> OpenError {
    match error {
        redb::Error::DatabaseAlreadyOpen => OpenError::Locked(path.to_owned()),
        // A page beyond the end of the file.
        redb::Error::Io(error) if is_damage(&error) => OpenError::Corrupt {
            path: path.to_owned(),
            reason: one_line(&error.to_string()),
        },
        redb::Error::Io(error) => refused(path, error),
        redb::Error::Corrupted(reason) => OpenError::Corrupt {
            path: path.to_owned(),
            reason: one_line(&reason),
        },
        other => OpenError::Corrupt {
            path: path.to_owned(),
            reason: one_line(&other.to_string()),
        },
    }
}

fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::FileTooLarge
    )
}

/// Says what the operating system refused.
pub fn refused(path: &Path, source: io::Error) -> OpenError {
    let path = path.to_owned();
    match source.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => OpenError::Unwritable { path, source },
        _ => OpenError::Io {
            doing: "open",
            path,
            source,
        },
    }
}
