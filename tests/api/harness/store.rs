//! The engine under test. With `TAUBENABWEHR_TEST_POSTGRES`, each working directory has its own schema, passed to programs in their
//! environment; otherwise inquiries are in the data directory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, OnceLock};

use crate::postgres::Schema;
pub use crate::postgres::is_postgres;

/// Ends a test of something that only redb has, if the suite runs on PostgreSQL, and prints why.
macro_rules! leave_out_on_postgres {
    ($why:expr) => {
        if $crate::postgres::left_out_on_postgres($why) {
            return;
        }
    };
}

/// Ends a test of something that only PostgreSQL has, if the suite runs on redb, and prints why.
macro_rules! leave_out_on_redb {
    ($why:expr) => {
        if $crate::postgres::left_out_on_redb($why) {
            return;
        }
    };
}

pub(crate) use {leave_out_on_postgres, leave_out_on_redb};

/// The URL of each working directory's store.
static URLS: LazyLock<Mutex<HashMap<PathBuf, String>>> = LazyLock::new(Mutex::default);

/// The store of a working directory, on PostgreSQL.
pub struct Place {
    directory: PathBuf,
    schema: Schema,
    /// Created on first use.
    second: OnceLock<Schema>,
}

impl Place {
    /// Creates a schema for a directory, if the suite runs on PostgreSQL.
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

    /// Another schema, empty at first.
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

/// Makes a command that runs in a directory use the store of that directory.
pub fn set(command: &mut Command, directory: &Path) {
    if let Some(url) = URLS.lock().unwrap().get(directory) {
        command.env("TAUBENABWEHR_STORE", url);
    }
}
