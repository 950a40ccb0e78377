//! Safe opening, identification and atomic replacement of files.

pub mod partial;
pub mod regular_file;

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The identity of a file: device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity(u64, u64);

impl FileIdentity {
    /// The identity of the directory entry at a path, without following a symlink; `None` if the path does not exist.
    pub fn at(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().as_ref().map(Self::from)
    }

    /// The identity of the file at a path, following symlinks.
    pub fn behind(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::from)
    }
}

impl From<&Metadata> for FileIdentity {
    fn from(found: &Metadata) -> Self {
        Self(found.dev(), found.ino())
    }
}
