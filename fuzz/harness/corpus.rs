//! The samples of a target: small files that each stand for something, those among them that failed once.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of samples.
pub struct Corpus {
    folder: PathBuf,
    /// File and content, in the order of their names.
    pub samples: Vec<(PathBuf, Vec<u8>)>,
}

impl Corpus {
    /// Reads `tests/corpus/<name>`.
    pub fn read(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/corpus")
            .join(name);
        let mut samples: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        assert!(!samples.is_empty(), "{} is empty", folder.display());
        samples.sort();
        Self { folder, samples }
    }

    /// Writes one more sample and gives its place.
    pub fn add(&self, sample: &[u8]) -> PathBuf {
        let path = self.folder.join(format!("failed-{:016x}", super::hash(sample)));
        fs::write(&path, sample).unwrap();
        path
    }
}
