//! The corpus of a target: small samples, each for one case, including inputs that failed before.

use std::fs;
use std::path::{Path, PathBuf};

/// A directory of samples.
pub struct Corpus {
    directory: PathBuf,
    /// Paths and contents, sorted by path.
    pub samples: Vec<(PathBuf, Vec<u8>)>,
}

impl Corpus {
    /// Reads `tests/corpus/<name>`.
    pub fn read(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/corpus")
            .join(name);
        let samples = files(&directory);
        assert!(!samples.is_empty(), "{} is empty", directory.display());
        Self { directory, samples }
    }

    /// Reads `fuzz/corpus/<name>`: what fuzzing by coverage has found, if it was done for this target. These are checked, but not
    /// edited, since they hardly look like anything that somebody would send.
    pub fn found(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fuzz/corpus")
            .join(name);
        if directory.exists() {
            files(&directory)
        } else {
            Vec::new()
        }
    }

    /// Writes another sample and returns its path.
    pub fn add(&self, sample: &[u8]) -> PathBuf {
        let path = self
            .directory
            .join(format!("failed-{:016x}", super::hash(sample)));
        fs::write(&path, sample).unwrap();
        path
    }
}

fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}
