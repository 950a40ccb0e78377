//! The engine under test. With `TAUBENABWEHR_TEST_POSTGRES` each working directory has a schema of its own, and whatever
//! runs in that directory finds it by its environment; else inquiries are in the data directory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex};

use crate::postgres::{self, Schema};

/// The URL of each working directory's store.
static URLS: LazyLock<Mutex<HashMap<PathBuf, String>>> = LazyLock::new(Mutex::default);

/// The store of a working directory, on PostgreSQL.
pub struct Place {
    directory: PathBuf,
    schema: Schema,
}

impl Place {
    /// Gives a directory a schema, where there is a server.
    pub fn of(directory: &Path) -> Option<Self> {
        let schema = Schema::new()?;
        let directory = directory.to_owned();
        URLS.lock().unwrap().insert(directory.clone(), schema.url());
        Some(Self { directory, schema })
    }

    pub fn schema(&self) -> &Schema {
        &self.schema
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        URLS.lock().unwrap().remove(&self.directory);
    }
}

/// Has a command that runs in a directory use the store of that directory.
pub fn set(command: &mut Command, directory: &Path) {
    if let Some(url) = URLS.lock().unwrap().get(directory) {
        command.env("TAUBENABWEHR_STORE", url);
    }
}

/// Returns whether the suite runs on PostgreSQL.
pub fn is_postgres() -> bool {
    postgres::server().is_some()
}

/// Returns whether a test is to end here, because what it is about is a file or a directory of inquiries, which PostgreSQL does not
/// have. `why` names it, and is printed.
pub fn needs_files(why: &str) -> bool {
    let is_left_out = is_postgres();
    if is_left_out {
        println!("left out on PostgreSQL: {why}");
    }
    is_left_out
}
