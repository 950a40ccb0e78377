//! Atomic replacement of files, so that readers never see a half-written one.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use tempfile::TempPath;

/// Prefix of temporary names; followed by random characters.
const PREFIX: &str = ".taubenabwehr-";

/// A file that gets its name only once it is complete, so that a killed process leaves nothing behind.
#[derive(Debug)]
pub struct PartialFile {
    /// The open file to write to.
    pub file: File,
    /// A temporary name, for file systems without unnamed files, such as NFS.
    name: Option<TempPath>,
}

impl PartialFile {
    /// Creates a file in a directory, with mode 0600.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(directory: &Path) -> io::Result<Self> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        match rustix::fs::open(directory, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => Ok(Self {
                file: file.into(),
                name: None,
            }),
            Err(Errno::OPNOTSUPP | Errno::ISDIR) => {
                let named = tempfile::Builder::new().prefix(PREFIX).tempfile_in(directory)?;
                let (file, name) = named.into_parts();
                Ok(Self {
                    file,
                    name: Some(name),
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A path through which this process can reopen the file.
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.file.as_raw_fd()).into()
    }

    /// Moves the file to a path in its directory, durably and atomically, replacing any file there.
    ///
    /// # Errors
    /// When a system call fails; the file at the path is then unchanged, unless only the final sync failed.
    pub fn put(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        let own = self.path();
        let name = match self.name {
            Some(name) => name,
            // `linkat` refuses a name that exists, so link to a temporary name and rename that.
            None => tempfile::Builder::new()
                .prefix(PREFIX)
                .make_in(directory_of(path), |name| {
                    rustix::fs::linkat(CWD, &own, CWD, name, AtFlags::SYMLINK_FOLLOW)?;
                    Ok(())
                })?
                .into_temp_path(),
        };
        name.persist(path).map_err(|error| error.error)?;
        File::open(directory_of(path))?.sync_all()
    }
}

/// The directory that contains a file.
pub fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn a_file_has_no_name_until_it_is_complete() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("monday.backup");
        fs::write(&path, "the one before").unwrap();
        let names = || fs::read_dir(dir.path()).unwrap().count();
        let mut new = PartialFile::create(dir.path()).unwrap();
        new.file.write_all(b"a backup").unwrap();
        drop(PartialFile::create(dir.path()).unwrap());
        assert_eq!(names(), 1);
        assert_eq!(fs::read_to_string(new.path()).unwrap(), "a backup");
        new.put(&path).unwrap();
        assert_eq!(names(), 1);
        assert_eq!(fs::read_to_string(&path).unwrap(), "a backup");
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
    }
}
