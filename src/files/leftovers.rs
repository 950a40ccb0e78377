//! What killed processes leave behind: files and directories with personal data in them.
//!
//! Whoever makes the next one removes them. A lock tells which of them nobody uses any more.

use std::fs::{self, DirEntry, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

use crate::files::FileIdentity;

/// What is left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A directory, with all that is in it.
    Directory,
}

impl Kind {
    fn is_of(self, entry: &DirEntry) -> bool {
        entry.file_type().is_ok_and(|found| match self {
            Self::File => found.is_file(),
            Self::Directory => found.is_dir(),
        })
    }

    fn open(self, path: &Path) -> io::Result<File> {
        let (flags, is_written) = match self {
            Self::File => (OFlags::NOFOLLOW | OFlags::NONBLOCK, true),
            Self::Directory => (OFlags::NOFOLLOW | OFlags::DIRECTORY, false),
        };
        OpenOptions::new()
            .read(true)
            .write(is_written)
            .custom_flags(i32::try_from(flags.bits()).unwrap_or_default())
            .open(path)
    }

    fn remove(self, path: &Path) -> io::Result<()> {
        match self {
            Self::File => fs::remove_file(path),
            Self::Directory => fs::remove_dir_all(path),
        }
    }
}

/// Removes what killed processes have left in a directory under names that begin so. What cannot be removed stays: the caller's
/// work is worth more.
pub fn remove(directory: &Path, prefix: &str, kind: Kind) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.starts_with(prefix)) && kind.is_of(&entry) {
            // Those of other users are refused here, or by the directory.
            let _ = remove_unused(&entry.path(), kind);
        }
    }
}

/// Locks what was just made, for as long as it is open. Returns whether it is still there: another process may have taken it for
/// a leftover before.
///
/// # Errors
/// When it cannot be locked.
pub fn hold(made: &File, path: &Path) -> io::Result<bool> {
    match made.lock() {
        Ok(()) => Ok(is_at(made, path)),
        // Without locks on this file system nobody removes anything there.
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(true),
        Err(error) => Err(error),
    }
}

fn remove_unused(path: &Path, kind: Kind) -> io::Result<()> {
    let found = kind.open(path)?;
    match found.try_lock() {
        // Held until it is gone, so that its maker cannot take it for its own.
        Ok(()) => kind.remove(path),
        Err(TryLockError::WouldBlock) => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns whether an open file or directory still has its name.
fn is_at(open: &File, path: &Path) -> bool {
    let open = open.metadata().ok();
    open.is_some_and(|open| FileIdentity::at(path) == Some(FileIdentity::from(&open)))
}
