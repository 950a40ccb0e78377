//! A temporary directory of one test, gone when the last owner is.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

/// The directory: an empty working directory, with the data directory (not made yet) inside.
#[derive(Clone)]
pub struct Dir(Arc<TempDir>);

impl Dir {
    pub fn new() -> Self {
        Self(Arc::new(tempfile::tempdir().unwrap()))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where the server keeps inquiries unless told otherwise: `./data`.
    pub fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Writes a file below the directory and gives its path as an argument.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The one file in the data directory that holds the inquiries.
    pub fn store_file(&self) -> PathBuf {
        let mut files: Vec<PathBuf> = fs::read_dir(self.data())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .collect();
        assert_eq!(files.len(), 1, "one file of inquiries: {files:?}");
        files.remove(0)
    }
}

/// Permission bits of a path.
pub fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}
