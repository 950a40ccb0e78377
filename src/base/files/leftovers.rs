//! What killed processes leave behind: files with personal data in them.
//!
//! The next process that creates one removes them. A lock tells which are still in use.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

use crate::base::files::FileIdentity;

/// Removes files with this prefix that killed processes have left in a directory. Failures are ignored: the caller's
/// own work matters more.
pub fn remove(directory: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|found| found.is_file());
        if is_file && name.to_str().is_some_and(|name| name.starts_with(prefix)) {
            // Files of other users fail here, or at removal.
            let _ = remove_unused(&entry.path());
        }
    }
}

/// Locks a file that was just created, for as long as it is open. Returns whether it is still there: another process may have taken it for
/// a leftover before.
///
/// # Errors
/// When it cannot be locked.
pub fn hold(made: &File, path: &Path) -> io::Result<bool> {
    match made.lock() {
        Ok(()) => Ok(is_at(made, path)),
        // Without locks on this file system, nothing is removed there.
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(true),
        Err(error) => Err(error),
    }
}

fn remove_unused(path: &Path) -> io::Result<()> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let found = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(i32::try_from(flags.bits()).unwrap_or_default())
        .open(path)?;
    match found.try_lock() {
        // Held until the file is gone, so that its creator cannot mistake it for its own.
        Ok(()) => fs::remove_file(path),
        Err(TryLockError::WouldBlock) => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether an open file still has its name.
fn is_at(open: &File, path: &Path) -> bool {
    let open = open.metadata().ok();
    open.is_some_and(|open| FileIdentity::at(path) == Some(FileIdentity::from(&open)))
}
