//! Opening the file: whole and ours, or not at all.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, StorageBackend};

use super::error::attempt;
use super::probe::Overlay;
use super::{OpenError, directory, make, record, schema};
use crate::quiet;

/// Memory for pages of the file. A million inquiries take the same CPU time to insert with 8 and with 16 MiB,
/// since they all go to the end of the file; the process then peaks at 18 and at 27 MB (`benches/store.rs`).
pub const CACHE_BYTES: usize = 8 << 20;

/// How often a lock that another process holds is tried again.
const LOCK_RETRY: Duration = Duration::from_millis(20);

/// The first bytes of every redb file.
const MAGIC: [u8; 9] = [b'r', b'e', b'd', b'b', 0x1a, 0x0a, 0xa9, 0x0d, 0x0a];

/// Opens the file; directory and file are made when missing, an empty file counts as missing.
pub fn or_create(data_dir: &Path, wait: Duration) -> Result<Database, OpenError> {
    directory::prepare(data_dir)?;
    {
        let turn = directory::turn(data_dir)?;
        make::remove_leftover(data_dir)?;
        let path = directory::file(data_dir);
        match fs::metadata(&path) {
            Ok(found) if found.is_file() && found.len() == 0 => make::empty(data_dir, &turn)?,
            Err(error) if error.kind() == ErrorKind::NotFound => make::empty(data_dir, &turn)?,
            Err(error) => return Err(refused(&path, error)),
            Ok(_) => {}
        }
    }
    existing(data_dir, wait)
}

/// Opens the file that is there. `wait` is how long to wait for another process to let go of it.
pub fn existing(data_dir: &Path, wait: Duration) -> Result<Database, OpenError> {
    directory::must_exist(data_dir)?;
    let path = directory::file(data_dir);
    let file = lock(&path, wait)?;
    let probed = file.try_clone().map_err(|error| refused(&path, error))?;
    let found = look(probed, &path)?;
    keep_from_others(&file).map_err(|error| refused(&path, error))?;

    let opened = attempt(|| {
        let database = on(FileBackend::new(file)?)?;
        schema::migrate(&database, found)?;
        Ok(database)
    });
    opened.map_err(|error| explain(&path, error))
}

/// Opens what a file holds; tests have a disk of their own.
pub fn on(backend: impl StorageBackend) -> Result<Database, redb::Error> {
    Ok(builder().create_with_backend(backend)?)
}

/// Takes away what other users may do with the file.
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

/// The file, locked for this process. redb takes the same lock once more through the same open file, and
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
                // Another one means that inquiries were erased just now.
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

/// Looks into the locked file without changing it; gives its schema, which is not newer than today's.
fn look(file: File, path: &Path) -> Result<u64, OpenError> {
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
    let looked = attempt(|| {
        let database = on(Overlay::new(file)?)?;
        let found = schema::of(&database)?;
        if found == Some(schema::CURRENT) {
            read_ends(&database)?;
        }
        Ok(found)
    });
    match looked.map_err(|error| explain(path, error))? {
        None => Err(OpenError::Foreign(path.to_owned())),
        Some(0) => Err(OpenError::Corrupt {
            path: path.to_owned(),
            reason: "it has schema 0".to_owned(),
        }),
        Some(found) if found > schema::CURRENT => Err(OpenError::Newer {
            path: path.to_owned(),
            found,
        }),
        Some(found) => Ok(found),
    }
}

/// Reads the first and the last inquiry and touches every table, as far as damage can be seen quickly.
fn read_ends(database: &Database) -> Result<(), redb::Error> {
    let transaction = database.begin_read()?;
    transaction.open_table(schema::KEYS)?.len()?;
    transaction.open_table(schema::EXPIRIES)?.first()?;
    let inquiries = transaction.open_table(schema::INQUIRIES)?;
    for (id, value) in [inquiries.first()?, inquiries.last()?].into_iter().flatten() {
        record::decode(*id.value(), value.value()).ok_or_else(|| damaged("an inquiry cannot be read"))?;
    }
    Ok(())
}

/// The error for a value that does not say what it should.
pub fn damaged(what: &str) -> redb::Error {
    redb::Error::Corrupted(what.to_owned())
}

/// Says what is wrong with a file.
pub fn explain(path: &Path, error: redb::Error) -> OpenError {
    match error {
        redb::Error::DatabaseAlreadyOpen => OpenError::Locked(path.to_owned()),
        // A page beyond the end of the file.
        redb::Error::Io(error) if is_damage(&error) => OpenError::Corrupt {
            path: path.to_owned(),
            reason: quiet::one_line(&error.to_string()),
        },
        redb::Error::Io(error) => refused(path, error),
        redb::Error::Corrupted(reason) => OpenError::Corrupt {
            path: path.to_owned(),
            reason: quiet::one_line(&reason),
        },
        other => OpenError::Corrupt {
            path: path.to_owned(),
            reason: quiet::one_line(&other.to_string()),
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
