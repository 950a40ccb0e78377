//! The engine under test. With `TAUBENABWEHR_TEST_POSTGRES` each working directory has a schema of its own, and whatever
//! runs in that directory finds it by its environment; else inquiries are in the data directory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, OnceLock};

use crate::postgres::Schema;
pub use crate::postgres::{is_postgres, left_out_on_postgres, left_out_on_redb};

/// The URL of each working directory's store.
static URLS: LazyLock<Mutex<HashMap<PathBuf, String>>> = LazyLock::new(Mutex::default);

/// The store of a working directory, on PostgreSQL.
pub struct Place {
    directory: PathBuf,
    schema: Schema,
    /// Made when it is asked for.
    second: OnceLock<Schema>,
}

impl Place {
    /// Gives a directory a schema, where there is a server.
    pub fn of(directory: &Path) -> Option<Self> {
        let schema = Schema::new()?;
        let directory = directory.to_owned();
        URLS.lock().unwrap().insert(directory.clone(), schema.url());
        Some(Self {
            directory,
            schema,
            second: OnceLock::new(),
        })
    }

    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns another schema, empty at first.
    pub fn second(&self) -> &Schema {
        self.second
            .get_or_init(|| Schema::new().expect("the suite runs on PostgreSQL"))
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
