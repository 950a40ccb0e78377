//! The data directory: its files, its permissions, and the lock that admits one process.

use std::fs::{self, DirBuilder, File, Metadata, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::store::OpenError;
use crate::store::open_error::refused;

/// The file of inquiries.
pub const FILE_NAME: &str = "inquiries.redb";
/// Its name while it is being created.
pub const NEW_FILE: &str = "inquiries.redb.new";
/// Exists while a copy into the directory is unfinished.
pub const COPYING_FILE: &str = "inquiries.redb.copying";
/// The list of erased ids.
pub const ERASED_FILE: &str = "erased.jsonl";
/// What a data directory of ours may contain; the socket belongs to `control`.
const OURS: [&str; 5] = [FILE_NAME, NEW_FILE, COPYING_FILE, ERASED_FILE, "control.sock"];

/// Only this user may list it, since inquiries are personal data.
const DIRECTORY_MODE: u32 = 0o700;
/// Only this user may read it.
pub const FILE_MODE: u32 = 0o600;

/// Creates the directory if it is missing, and closes one that contains only our files to other users. Returns a warning if that is
/// not possible.
pub fn prepare(data_dir: &Path) -> Result<Option<String>, OpenError> {
    let Some(found) = find(data_dir)? else {
        create(data_dir)?;
        return Ok(None);
    };
    let is_open_to_others = found.permissions().mode() & 0o077 != 0;
    if is_open_to_others && is_ours_alone(data_dir).map_err(|error| refused(data_dir, error))? {
        return Ok(close_to_others(data_dir));
    }
    Ok(None)
}

/// A directory owned by another user, such as a container's volume, is used as it is: only its owner can change its mode, and the
/// file in it is closed to others anyway.
fn close_to_others(data_dir: &Path) -> Option<String> {
    let closed = fs::set_permissions(data_dir, Permissions::from_mode(DIRECTORY_MODE));
    closed.err().map(|error| {
        format!(
            "other users may list or change {}, and its mode cannot be changed ({error}): set it to {DIRECTORY_MODE:o} \
             or give the directory to this user",
            data_dir.display()
        )
    })
}

/// Fails if the directory is missing or is not one.
pub fn must_exist(data_dir: &Path) -> Result<(), OpenError> {
    let found = find(data_dir)?.map(drop);
    found.ok_or_else(|| OpenError::MissingDirectory(data_dir.to_owned()))
}

fn find(data_dir: &Path) -> Result<Option<Metadata>, OpenError> {
    match fs::metadata(data_dir) {
        Ok(found) if found.is_dir() => Ok(Some(found)),
        Ok(_) => Err(OpenError::NotADirectory(data_dir.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(data_dir, error)),
    }
}

/// Fails if a copy into the directory is unfinished.
pub fn must_be_whole(data_dir: &Path) -> Result<(), OpenError> {
    if data_dir.join(COPYING_FILE).exists() {
        return Err(OpenError::Copying(data_dir.to_owned()));
    }
    Ok(())
}

/// How long the server waits for a file that another process holds. A command holds it only after finding that no server listens,
/// and then for as long as it reads: a second is enough for 100,000 inquiries.
pub const LOCK_WAIT: Duration = Duration::from_secs(2);

/// How often a held lock is retried.
const LOCK_RETRY: Duration = Duration::from_millis(20);

/// The exclusive right of one process to use the directory, whatever happens to its files. Released on drop.
pub struct DirectoryLock(File);

impl DirectoryLock {
    /// Makes the names in the directory durable.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

/// Locks the directory for this process, waiting up to `wait` for another one.
pub fn lock(data_dir: &Path, wait: Duration) -> Result<DirectoryLock, OpenError> {
    let started = Instant::now();
    let directory = File::open(data_dir).map_err(|error| refused(data_dir, error))?;
    loop {
        match directory.try_lock() {
            Ok(()) => return Ok(DirectoryLock(directory)),
            Err(TryLockError::WouldBlock) if started.elapsed() < wait => thread::sleep(LOCK_RETRY),
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked(data_dir.join(FILE_NAME))),
            Err(TryLockError::Error(error)) => return Err(refused(data_dir, error)),
        }
    }
}

fn create(data_dir: &Path) -> Result<(), OpenError> {
    let created = DirBuilder::new()
        .recursive(true)
        .mode(DIRECTORY_MODE)
        .create(data_dir);
    created.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => OpenError::NotADirectory(data_dir.to_owned()),
        _ => refused(data_dir, error),
    })?;
    // The directory's own entry must survive a power cut, like the file in it.
    let parent = fs::canonicalize(data_dir).and_then(|path| match path.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    });
    parent.map_err(|error| refused(data_dir, error))
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
