//! The corpus of a target: small samples, each for one case, including inputs that failed before.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

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
        let mut samples: Vec<_> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        samples.sort();
        assert!(!samples.is_empty(), "{} is empty", directory.display());
        Self { directory, samples }
    }

    /// Reads `fuzz/corpus/<name>`, with one base64 input per line: findings of coverage-guided fuzzing, if there are any for this
    /// target. They are checked but not edited, since they hardly resemble real input.
    pub fn found(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fuzz/corpus")
            .join(name);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let inputs = text.lines().zip(1..).map(|(line, number): (_, usize)| {
            let input = STANDARD.decode(line).unwrap();
            (path.join(format!("line {number}")), input)
        });
        inputs.collect()
    }

    /// Adds a sample and returns its path.
    pub fn add(&self, sample: &[u8]) -> PathBuf {
        let path = self
            .directory
            .join(format!("failed-{:016x}", super::hash(sample)));
        fs::write(&path, sample).unwrap();
        path
    }
}
