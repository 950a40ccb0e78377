//! Opening files safely, telling them apart, and cleaning up what killed processes have left.

mod leftovers;
pub mod partial;
pub mod regular_file;

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What tells a file from every other that exists: its device and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity(u64, u64);

impl FileIdentity {
    /// Returns that of what has a name, and not of what a link there points to; `None` if there is nothing.
    pub fn at(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().as_ref().map(Self::from)
    }

    /// Returns that of what a name leads to.
    pub fn behind(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::from)
    }
}

impl From<&Metadata> for FileIdentity {
    fn from(found: &Metadata) -> Self {
        Self(found.dev(), found.ino())
    }
}
