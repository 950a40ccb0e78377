//! A temporary directory, deleted when its last owner is dropped, and its database schemas on PostgreSQL.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::store::Place;
use crate::postgres::Schema;

/// An empty working directory for the program, with its own store. The data directory inside does not exist yet.
#[derive(Clone)]
pub struct Dir(Arc<(TempDir, Option<Place>)>);

impl Dir {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::of(directory.path());
        Self(Arc::new((directory, place)))
    }

    pub fn path(&self) -> &Path {
        self.0.0.path()
    }

    /// The schema of the directory, on PostgreSQL.
    pub fn schema(&self) -> Option<&Schema> {
        self.0.1.as_ref().map(Place::schema)
    }

    /// The default data directory, `./data`.
    pub fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Whether a store was created.
    pub fn has_store(&self) -> bool {
        let Some(schema) = self.schema() else {
            return self.data().exists();
        };
        let tables = "SELECT FROM pg_tables WHERE schemaname = current_schema()";
        !schema.query(tables).is_empty() || self.data().exists()
    }

    /// The URL of the directory's store.
    pub fn store(&self) -> String {
        self.schema().map_or_else(|| self.directory_url(), Schema::url)
    }

    /// The URL of a second store, empty at first: a schema, or the data directory `./new`.
    pub fn second_store(&self) -> String {
        let directory = || format!("redb:{}", self.path().join("new").display());
        self.second_schema().map_or_else(directory, Schema::url)
    }

    /// The schema of the second store, on PostgreSQL.
    pub fn second_schema(&self) -> Option<&Schema> {
        self.0.1.as_ref().map(Place::second)
    }

    /// The URL of the default data directory, whichever engine is tested.
    pub fn directory_url(&self) -> String {
        format!("redb:{}", self.data().display())
    }

    /// Writes a file inside the directory and returns its path as a command-line argument.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The store's file, the only file in the data directory besides the list of erased inquiries.
    pub fn store_file(&self) -> PathBuf {
        let mut files: Vec<PathBuf> = fs::read_dir(self.data())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file() && path.file_name().unwrap() != "erased.jsonl")
            .collect();
        assert_eq!(
            files.len(),
            1,
            "expected one file in the data directory: {files:?}"
        );
        files.remove(0)
    }
}

/// The permission bits of a path.
pub fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}
