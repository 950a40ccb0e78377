//! A directory for a moment, in that for temporary files.

use std::env;
use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::files::leftovers::{self, Kind};

/// What its name begins with. Six random characters follow.
const PREFIX: &str = ".taubenabwehr-";
/// Only this user may list it.
const MODE: u32 = 0o700;
/// The data directory in it: a store locks its own, which must not be the one that is locked here.
const DATA: &str = "data";

/// The directory, which is removed when it is dropped.
pub struct TemporaryDir {
    directory: TempDir,
    /// Locked for as long as the directory is used.
    _lock: File,
}

impl TemporaryDir {
    /// Creates one, and removes those that killed processes have left.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new() -> io::Result<Self> {
        Self::new_in(&env::temp_dir())
    }

    fn new_in(parent: &Path) -> io::Result<Self> {
        leftovers::remove(parent, PREFIX, Kind::Directory);
        loop {
            let directory = tempfile::Builder::new()
                .prefix(PREFIX)
                .permissions(Permissions::from_mode(MODE))
                .tempdir_in(parent)?;
            let lock = File::open(directory.path())?;
            if leftovers::hold(&lock, directory.path())? {
                return Ok(Self {
                    directory,
                    _lock: lock,
                });
            }
        }
    }

    /// Returns the path of a data directory in it, which does not exist at first.
    pub fn data_dir(&self) -> PathBuf {
        self.directory.path().join(DATA)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt;

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
        let first = TemporaryDir::new_in(parent.path()).unwrap();
        assert!(!path(".taubenabwehr-killed").exists());
        assert_eq!(first.directory.path().metadata().unwrap().mode() & 0o777, MODE);
        let second = TemporaryDir::new_in(parent.path()).unwrap();
        assert!(first.directory.path().exists() && second.directory.path().exists());
        drop((first, second));
        assert!(path("other").exists() && path(".taubenabwehr-file").exists());
        assert!(path(".taubenabwehr-link").is_symlink());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 3);
    }
}
