//! The files of one directory's account and certificate, below the data directory.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use http::Uri;
use sha2::{Digest, Sha256};

/// The folder in the data directory.
const FOLDER: &str = "acme";
/// Only this user may look into it: there are private keys.
const FOLDER_MODE: u32 = 0o700;
/// The prefix of the names of files that are being written.
const UNFINISHED: &str = ".unfinished-";

/// The account, with its key.
pub const ACCOUNT: &str = "account.json";
/// The certificate's key, the certificate and the chain to its authority, in PEM.
pub const CERTIFICATE: &str = "certificate.pem";
/// What has failed.
pub const FAILURES: &str = "failures.json";

/// A folder that holds what belongs to one directory.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Creates the folder if it is missing, and closes it to other users.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open(data_dir: &Path, directory: &str) -> io::Result<Self> {
        let parent = data_dir.join(FOLDER);
        let folder = parent.join(name_of(directory));
        for (path, above) in [(&parent, data_dir), (&folder, &parent)] {
            match DirBuilder::new().mode(FOLDER_MODE).create(path) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE))?,
            }
            File::open(above)?.sync_all()?;
        }
        // A process that was killed while writing may have left some.
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(Self { folder })
    }

    /// Returns the path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Reads a file; `None` if it is not there.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces a file in one step. Only this user may read it.
    ///
    /// # Errors
    /// When the system refuses. The old file is unchanged.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // Created with mode 0600.
        let mut file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempfile_in(&self.folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(self.path(name))?;
        File::open(&self.folder)?.sync_all()
    }

    /// Removes a file if it is there.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => File::open(&self.folder)?.sync_all(),
        }
    }
}

/// Returns the name of a directory's folder: its host, for people, and a digest of the address, since one host may have
/// several directories.
pub fn name_of(directory: &str) -> String {
    let uri: Option<Uri> = directory.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or("directory");
    // An IPv6 address is in brackets.
    let host = host.trim_matches(['[', ']']);
    let digest = Sha256::digest(directory.as_bytes());
    let mut name = format!("{host}-");
    for byte in digest.iter().take(4) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGING: &str = "https://acme-staging-v02.api.letsencrypt.org/directory";

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn files_are_replaced_as_a_whole_and_closed_to_others() {
        let data = tempfile::tempdir().unwrap();
        let files = Files::open(data.path(), STAGING).unwrap();
        assert_eq!(files.read(ACCOUNT).unwrap(), None);
        files.write(ACCOUNT, b"one").unwrap();
        files.write(ACCOUNT, b"two").unwrap();
        assert_eq!(files.read(ACCOUNT).unwrap().unwrap(), b"two");
        assert_eq!(mode(&files.path(ACCOUNT)), 0o600);
        assert_eq!(mode(&files.folder), 0o700);
        assert_eq!(mode(&data.path().join(FOLDER)), 0o700);
        files.remove(ACCOUNT).unwrap();
        files.remove(ACCOUNT).unwrap();
        assert_eq!(fs::read_dir(&files.folder).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_open_folders_are_closed() {
        let data = tempfile::tempdir().unwrap();
        let files = Files::open(data.path(), STAGING).unwrap();
        files.write(ACCOUNT, b"one").unwrap();
        fs::write(files.path(".unfinished-abc"), "half").unwrap();
        fs::set_permissions(&files.folder, Permissions::from_mode(0o755)).unwrap();
        let files = Files::open(data.path(), STAGING).unwrap();
        assert_eq!(fs::read_dir(&files.folder).unwrap().count(), 1);
        assert_eq!(files.read(ACCOUNT).unwrap().unwrap(), b"one");
        assert_eq!(mode(&files.folder), 0o700);
    }

    #[test]
    fn each_directory_has_a_folder_of_its_own() {
        assert_eq!(name_of(STAGING), "acme-staging-v02.api.letsencrypt.org-67f27506");
        assert!(name_of("https://[::1]:14000/dir").starts_with("::1-"));
        assert_ne!(name_of("https://a.example/1"), name_of("https://a.example/2"));
    }
}
