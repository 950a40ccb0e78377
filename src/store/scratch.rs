//! A directory for a moment, in that for temporary files.
//!
//! A process that is killed leaves it behind, with personal data in it. So whoever makes the next one removes it. A lock tells which of
//! them nobody uses any more.

use std::env;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tempfile::TempDir;

/// What its name begins with. Six random characters follow.
const PREFIX: &str = ".taubenabwehr-";
/// Only this user may list it.
const MODE: u32 = 0o700;
/// The data directory in it: a store locks its own, which must not be the one that is locked here.
const DATA: &str = "data";

/// The directory, which is removed when it is dropped.
pub struct Scratch {
    directory: TempDir,
    /// Locked for as long as the directory is used.
    _lock: File,
}

impl Scratch {
    /// Creates one, and removes those that killed processes have left.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new() -> io::Result<Self> {
        Self::new_in(&env::temp_dir())
    }

    fn new_in(parent: &Path) -> io::Result<Self> {
        remove_stale(parent);
        loop {
            let directory = tempfile::Builder::new()
                .prefix(PREFIX)
                .permissions(Permissions::from_mode(MODE))
                .tempdir_in(parent)?;
            let lock = File::open(directory.path())?;
            match lock.lock() {
                // Another process may have taken it for a stale one before it was locked.
                Ok(()) if !is_at(&lock, directory.path()) => {}
                // Without locks on this file system nobody removes anything there.
                Err(error) if error.kind() != ErrorKind::Unsupported => return Err(error),
                Ok(()) | Err(_) => {
                    return Ok(Self {
                        directory,
                        _lock: lock,
                    });
                }
            }
        }
    }

    /// Returns the path of a data directory in it, which does not exist at first.
    pub fn data_dir(&self) -> PathBuf {
        self.directory.path().join(DATA)
    }
}

/// Removes what is left of processes that were killed. What cannot be removed stays: the caller's work is worth more.
fn remove_stale(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // Those of other users are refused here, or by the parent.
            let _ = remove_if_stale(&entry.path());
        }
    }
}

fn remove_if_stale(path: &Path) -> io::Result<()> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits()).unwrap_or_default();
    let directory = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    match directory.try_lock() {
        // Held until it is gone, so that its maker cannot take it for its own.
        Ok(()) => fs::remove_dir_all(path),
        Err(TryLockError::WouldBlock) => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns whether an open directory still has its name.
fn is_at(directory: &File, path: &Path) -> bool {
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    match (directory.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => identity(open) == identity(named),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_has_left_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        fs::create_dir_all(path(".taubenabwehr-killed/data")).unwrap();
        fs::write(path(".taubenabwehr-killed/data/inquiries.redb"), "inquiries").unwrap();
        fs::create_dir(path("other")).unwrap();
        fs::write(path(".taubenabwehr-file"), "of somebody else").unwrap();
        std::os::unix::fs::symlink("other", path(".taubenabwehr-link")).unwrap();
        let first = Scratch::new_in(parent.path()).unwrap();
        assert!(!path(".taubenabwehr-killed").exists());
        assert_eq!(first.directory.path().metadata().unwrap().mode() & 0o777, MODE);
        let second = Scratch::new_in(parent.path()).unwrap();
        assert!(first.directory.path().exists() && second.directory.path().exists());
        drop((first, second));
        assert!(path("other").exists() && path(".taubenabwehr-file").exists());
        assert!(path(".taubenabwehr-link").is_symlink());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 3);
    }
}
