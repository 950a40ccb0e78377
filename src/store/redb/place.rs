//! Whether the open file still is where everybody looks for it: one that was moved or deleted takes inquiries that nobody would
//! find again.

use std::path::{Path, PathBuf};

use super::directory;
use crate::files::FileIdentity;

/// The open file, and where it must be.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    /// `None` if the storage is not a file, such as a simulated disk.
    file: Option<FileIdentity>,
    is_lost: bool,
}

impl Place {
    /// Begins with the file of a data directory.
    pub fn new(data_dir: &Path, file: Option<FileIdentity>) -> Self {
        Self {
            path: directory::file(data_dir),
            file,
            is_lost: false,
        }
    }

    /// Notes that another file was opened.
    pub fn opened(&mut self, file: Option<FileIdentity>) {
        self.file = file;
    }

    /// Notes that a file has taken the place of the one before.
    pub fn replaced(&mut self) {
        if self.file.is_some() {
            self.file = FileIdentity::behind(&self.path);
        }
    }

    /// Returns whether the open file is there, and logs it if that has changed.
    pub fn has_file(&mut self) -> bool {
        let is_lost = self.file.is_some() && FileIdentity::behind(&self.path) != self.file;
        if is_lost && !self.is_lost {
            tracing::error!(
                "{} was moved, deleted or replaced while it was in use: inquiries are refused until it is back; what the server \
                 still has of it, `taubenabwehr backup` saves",
                self.path.display()
            );
        } else if self.is_lost && !is_lost {
            tracing::info!("{} is back", self.path.display());
        }
        self.is_lost = is_lost;
        !is_lost
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_found_again_only_under_its_name_and_not_a_copy_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = directory::file(dir.path());
        fs::write(&path, "a").unwrap();
        let mut place = Place::new(dir.path(), FileIdentity::behind(&path));
        assert!(place.has_file());
        let elsewhere = dir.path().join("elsewhere");
        fs::rename(&path, &elsewhere).unwrap();
        assert!(!place.has_file());
        fs::copy(&elsewhere, &path).unwrap();
        assert!(!place.has_file());
        fs::rename(&elsewhere, &path).unwrap();
        assert!(place.has_file());
        fs::write(&elsewhere, "b").unwrap();
        fs::rename(&elsewhere, &path).unwrap();
        place.replaced();
        assert!(place.has_file());
        let mut none = Place::new(&elsewhere, None);
        none.replaced();
        assert!(none.has_file());
    }
}
