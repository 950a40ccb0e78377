//! Files that are written under temporary names, so that a half-written one is never seen.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::leftovers;

/// The prefix of their names, which random characters follow.
const PREFIX: &str = ".taubenabwehr-";

/// Creates one in this directory, with mode 0600 and locked, and removes those that killed processes have left there.
///
/// # Errors
/// When it cannot be created.
pub fn create(directory: &Path) -> io::Result<NamedTempFile> {
    leftovers::remove(directory, PREFIX);
    loop {
        let new = tempfile::Builder::new().prefix(PREFIX).tempfile_in(directory)?;
        if leftovers::hold(new.as_file(), new.path())? {
            return Ok(new);
        }
    }
}

/// Returns the directory of a file.
pub fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Durably renames a file over another one.
///
/// # Errors
/// When the system refuses; the other file is then unchanged, unless only the last step failed.
pub fn put(new: NamedTempFile, path: &Path) -> io::Result<()> {
    new.as_file().sync_all()?;
    new.persist(path).map_err(|error| error.error)?;
    File::open(directory_of(path))?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt;

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
