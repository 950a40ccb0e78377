//! The file that a backup is written to before it gets its name.
//!
//! A process that is killed leaves it behind, with personal data in it. So whoever makes the next one in that directory removes it. A
//! lock tells which of them nobody writes any more.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use tempfile::NamedTempFile;

/// What its name begins with. Six random characters follow.
const PREFIX: &str = ".taubenabwehr-backup-";

/// Creates one in this directory, with mode 0600 and locked, and removes those that killed processes have left there.
///
/// # Errors
/// When it cannot be created.
pub fn create(directory: &Path) -> io::Result<NamedTempFile> {
    remove_stale(directory);
    loop {
        let new = tempfile::Builder::new().prefix(PREFIX).tempfile_in(directory)?;
        match new.as_file().lock() {
            // Another process may have taken it for a stale one before it was locked.
            Ok(()) if new.as_file().metadata()?.nlink() == 0 => {}
            Ok(()) => return Ok(new),
            // A file system without locks; then nobody removes anything there.
            Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(new),
            Err(error) => return Err(error),
        }
    }
}

/// Removes what is left of processes that were killed. What cannot be removed stays: a backup is worth more.
fn remove_stale(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Those of other users are refused here, or by the directory.
            let _ = remove_if_stale(&entry.path());
        }
    }
}

fn remove_if_stale(path: &Path) -> io::Result<()> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    let file: File = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags)
        .open(path)?;
    match file.try_lock() {
        // Held until it is gone, so that its maker cannot take it for its own.
        Ok(()) => fs::remove_file(path),
        Err(TryLockError::WouldBlock) => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_has_left_is_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let stale = path(".taubenabwehr-backup-killed");
        fs::write(&stale, "what was written so far").unwrap();
        fs::write(path("monday.backup"), "a backup").unwrap();
        std::os::unix::fs::symlink("monday.backup", path(".taubenabwehr-backup-link")).unwrap();
        let first = create(dir.path()).unwrap();
        assert!(!stale.exists());
        let second = create(dir.path()).unwrap();
        assert!(first.path().exists() && second.path().exists());
        assert_eq!(first.as_file().metadata().unwrap().mode() & 0o777, 0o600);
        assert!(path("monday.backup").exists() && path(".taubenabwehr-backup-link").is_symlink());
        let named = path("tuesday.backup");
        first.persist(&named).unwrap();
        drop(second);
        drop(create(dir.path()).unwrap());
        assert!(named.exists());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    }
}
